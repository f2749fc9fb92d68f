"""The note as text: folding, offsets, words, spans."""
