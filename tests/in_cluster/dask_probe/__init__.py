"""Tests of ``in_cluster.dask_probe``."""
