"""``daskfleet status``: what a team's Dask clusters do, and what they wait for."""
