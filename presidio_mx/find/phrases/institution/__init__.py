"""Named hospitals, schools, shelters, laboratories, employers."""
