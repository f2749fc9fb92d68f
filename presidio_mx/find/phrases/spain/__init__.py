"""The phrases of the es-ES preset."""
