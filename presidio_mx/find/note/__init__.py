"""The prepared note: working text, words, what is known of them, findings."""
