"""``daskfleet connect``: a team's Dask cluster at an address of this machine."""
