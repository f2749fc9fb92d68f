"""Training and export of models."""
