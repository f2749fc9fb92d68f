"""Spanish as the suite knows it: word lists, names, dates, places."""
