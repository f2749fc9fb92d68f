"""Fields of messages, exports and tables: read by their structure, not guessed."""
