"""Collecting facts: pods by the Kubernetes API, Dask by the probe, pages by HTTP."""
