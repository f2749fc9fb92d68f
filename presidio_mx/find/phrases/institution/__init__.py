"""Named hospitals, clinics, schools, employers."""
