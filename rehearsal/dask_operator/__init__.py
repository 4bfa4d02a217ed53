"""The real Dask operator as a process, and the little of a cluster that it needs around it."""
