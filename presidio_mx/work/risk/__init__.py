"""Re-identification risk of a corpus: uniqueness, population, what to generalise."""
