"""Towns, municipalities, states, countries."""
