"""``daskfleet environment``: what a client of a team's cluster has to be made of."""
