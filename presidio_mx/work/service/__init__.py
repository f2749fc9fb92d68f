"""Presidio servers, the own server and the review page."""
