"""Dask pods as processes of this machine: what their containers would run on a real node."""
