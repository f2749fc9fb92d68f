"""Where findings compete: rules, models, known data; one place each."""
