"""Models beside the rules."""
