"""A real Kubernetes control plane on this machine, with kwok in place of nodes; see README.md."""

from rehearsal.control_plane.control_plane import ControlPlane
from rehearsal.control_plane.dask_mode import DaskMode
from rehearsal.control_plane.errors import ControlPlaneError
from rehearsal.control_plane.processes import DeadProcess, stop_left_over

__all__ = ["ControlPlane", "ControlPlaneError", "DaskMode", "DeadProcess", "stop_left_over"]
