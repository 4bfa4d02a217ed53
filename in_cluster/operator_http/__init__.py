"""What the Dask operator asks of schedulers: HTTP and bounded JSON, and never Dask's own protocol.

A team decides what its scheduler answers. The operator of dask-kubernetes 2026.3.0 asks by HTTP
first, and where that fails by ``distributed.core.rpc`` (operator/controller/controller.py), whose
answers are unpickled: whoever makes the HTTP route fail runs code in the operator, which has
rights in every namespace. Here are other functions for the three that ask, and what puts them in
their place. In the operator's container they are alone: they import what its image has, and
nothing else of this project.
"""
