"""Tests of ``rehearsal.dask_pods``."""
