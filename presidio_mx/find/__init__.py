"""Recognizers, the context grammar, and how their findings are settled."""
