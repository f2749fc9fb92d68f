"""Names of persons."""
