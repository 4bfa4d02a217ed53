"""``daskfleet settings``: what a stack declares, and where each value is from."""
