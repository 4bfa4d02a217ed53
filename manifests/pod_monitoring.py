"""Pure: from which pods of a team Google's collectors read metrics, and which."""

from collections.abc import Sequence
from typing import Any

from daskfleet.contract.dask import CLUSTER_LABEL
from daskfleet.settings.team import Team
from manifests import network_policy

PodMonitoring = dict[str, Any]
"""The ``spec`` of a ``monitoring.googleapis.com/v1`` PodMonitoring."""

SCHEDULER_JOB = "dask-scheduler"
WORKER_JOB = "dask-worker"
"""Names of the PodMonitorings; they become the label ``job`` of what is read."""

CLUSTER_METRIC_LABEL = "dask_cluster"
"""The metrics' label for the DaskCluster, of which a blue-green team has two during a roll."""

GROUP_LABEL = "dask.org/workergroup-name"
"""The operator's label on a worker's pod."""

PORT = "http-dashboard"
"""Dask serves metrics beside its dashboard, on schedulers and workers alike."""

INTERVAL = "30s"

KEPT = "dask_(scheduler|worker)_.+|process_(resident_memory_bytes|cpu_seconds_total)"
"""Samples are billed: what says nothing about a team's work, such as Python's garbage collector and
26 series of the scheduler's work stealing, is not stored."""


def pod_monitorings(team: Team) -> dict[str, PodMonitoring]:
    """Return a PodMonitoring for the team's schedulers and one for its workers, by name."""
    return {
        SCHEDULER_JOB: _reading(network_policy.schedulers(team)),
        WORKER_JOB: _reading(
            network_policy.workers(team), further=[{"from": GROUP_LABEL, "to": "worker_group"}]
        ),
    }


def _reading(
    pods: network_policy.LabelSelector, *, further: Sequence[dict[str, str]] = ()
) -> PodMonitoring:
    return {
        "selector": pods,
        "endpoints": [
            {
                "port": PORT,
                "path": "/metrics",
                "interval": INTERVAL,
                "metricRelabeling": [
                    {"action": "keep", "sourceLabels": ["__name__"], "regex": KEPT}
                ],
            }
        ],
        "targetLabels": {
            "fromPod": [{"from": CLUSTER_LABEL, "to": CLUSTER_METRIC_LABEL}, *further]
        },
    }
