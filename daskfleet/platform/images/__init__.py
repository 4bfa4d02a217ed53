"""Which images a fleet runs, so that somebody can copy them."""
