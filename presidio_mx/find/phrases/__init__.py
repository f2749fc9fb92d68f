"""Parts of a note that take more than a pattern to delimit."""
