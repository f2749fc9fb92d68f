"""Rebuild the gazetteers from public packages and the lists kept by hand."""
