"""From bytes to a note: the one way in which commands and batch runs read text."""
