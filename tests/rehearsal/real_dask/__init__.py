"""End to end: Dask's pods as processes, on one fleet for all tests of this package."""
