"""An emulator of the Google APIs that a GKE fleet needs: container, compute, IAM and projects.

What it models and what not is in ``README.md`` beside this file.
"""

from rehearsal.emulator.backend import (
    ClusterBackend,
    ClusterRef,
    Endpoint,
    NoKubernetes,
    Workloads,
)
from rehearsal.emulator.emulator import Emulator
from rehearsal.emulator.faults import (
    ConnectionReset,
    ErrorAnswer,
    Fault,
    Hold,
    LostAnswer,
    OperationFailure,
    Stockout,
)
from rehearsal.emulator.kubernetes_backend import KubernetesBackend
from rehearsal.emulator.latency import Latency
from rehearsal.emulator.request_log import LoggedRequest, RequestLog

__all__ = [
    "ClusterBackend",
    "ClusterRef",
    "ConnectionReset",
    "Emulator",
    "Endpoint",
    "ErrorAnswer",
    "Fault",
    "Hold",
    "KubernetesBackend",
    "Latency",
    "LoggedRequest",
    "LostAnswer",
    "NoKubernetes",
    "OperationFailure",
    "RequestLog",
    "Stockout",
    "Workloads",
]
