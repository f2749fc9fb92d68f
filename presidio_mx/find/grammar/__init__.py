"""The rule engine: rules as data, compiled, run over a prepared note."""
