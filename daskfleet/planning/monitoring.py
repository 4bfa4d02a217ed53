"""What a stack's monitoring needs, and what it measures."""

from collections.abc import Iterator

from daskfleet.settings.problems import Problem
from daskfleet.settings.software import GkeDriver
from daskfleet.settings.stack import Stack

SERVICE = "monitoring.googleapis.com"
"""Where samples go; an API that a project must have enabled."""

COLLECTOR_NAMESPACE = "gmp-system"
"""Where the collectors of Managed Service for Prometheus run (prometheus-engine,
``charts/values.global.yaml``)."""

COST_NOTE = (
    "Samples of Managed Service for Prometheus are billed by number (monitoring) and not in these "
    "figures."
)


def is_collected(stack: Stack) -> bool:
    """Whether Google collects metrics of Dask, by this stack's wish."""
    return stack.monitoring is not None and stack.monitoring.prometheus == "managed"


def measures_gpus(stack: Stack) -> bool:
    """Whether Google's DCGM exporter runs, by this stack's wish."""
    if stack.monitoring is None or not is_collected(stack):
        return False
    if stack.monitoring.dcgm is None:
        return isinstance(stack.driver, GkeDriver)
    return stack.monitoring.dcgm


def monitoring_problems(stack: Stack) -> Iterator[Problem]:
    """An exporter that would find no driver."""
    if measures_gpus(stack) and not isinstance(stack.driver, GkeDriver):
        yield Problem(
            key="monitoring.dcgm",
            value="true",
            reason="Google's DCGM exporter runs on nodes whose driver GKE installs "
            "(cloud.google.com/kubernetes-engine/docs/how-to/dcgm-metrics), and here the driver's "
            "DaemonSet does (driver.install).",
            allowed="true together with driver.install gke",
            next_step="remove monitoring.dcgm, or set driver to {install: gke, channel: LATEST}; "
            "the alert on Dask that computes nothing needs no DCGM.",
        )
