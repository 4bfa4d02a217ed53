"""Checks of a running cluster, through Dask itself and the Kubernetes API; changes nothing."""
