"""How structure inside plain text is read, and what it says of its values."""
