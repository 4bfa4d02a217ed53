"""Specs of Dask clusters that members of a team make for themselves."""
