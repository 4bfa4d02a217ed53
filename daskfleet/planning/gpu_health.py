"""Whose workers are taken off nodes with a sick GPU."""

from daskfleet.planning.teams import teams_with_cluster
from daskfleet.settings.gpu_health import GpuHealth
from daskfleet.settings.stack import Stack
from in_cluster.gpu_health.rules import Rules


def health_rules(stack: Stack, health: GpuHealth) -> Rules:
    """What the controller is told. Teams without a GPU have no pod on a node with one."""
    return Rules(
        namespaces=tuple(team.name for _, team in teams_with_cluster(stack)),
        most_drained_nodes=health.max_drained_nodes,
    )
