"""``daskfleet logs``: what the processes of a team's Dask cluster have written."""
