"""presidio-mx."""
