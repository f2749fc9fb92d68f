"""The review page: a person decides what the recognizers proposed."""
