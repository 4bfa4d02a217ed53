"""dask-kubernetes' own tests of its operator, on the rehearsal's control plane."""
