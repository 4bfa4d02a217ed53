"""Who plays the kubelet of Dask pods."""

from typing import Literal

DaskMode = Literal["run", "place"]
"""``run``: a node agent runs what is in them (``rehearsal.dask_pods``). ``place``: kwok calls them
ready, as it does all others, and runs nothing."""
