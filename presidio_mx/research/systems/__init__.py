"""Published systems beside which the suite is measured, as their authors ran them."""
