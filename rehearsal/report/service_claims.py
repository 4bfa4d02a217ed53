"""Pure: claims about what serves the fleet: the driver, the operator, the control plane."""

from collections.abc import Mapping, Sequence

from daskfleet.contract.outputs import FleetOutputs
from rehearsal.report.claims import claim
from rehearsal.report.fleet_state import KubernetesObject, Node
from rehearsal.report.model import Claim
from rehearsal.supervisor.record import ClusterRecord


def driver_is_ready_on_every_gpu_node(
    fleet: FleetOutputs, daemon_sets: Sequence[KubernetesObject], nodes: Mapping[str, Node]
) -> Claim:
    """Each GPU node has the declared driver and one ready installer, unless GKE installs it."""
    text = "the driver's installer is ready on GPU nodes"
    if fleet.driver.install == "gke":
        return claim(text, problems=[], evidence="none needed: GKE installs the driver")
    gpu_nodes = [node for node in nodes.values() if node.has_gpu]
    statuses = [daemon_set.get("status", {}) for daemon_set in daemon_sets]
    ready = sum(status.get("numberReady", 0) for status in statuses)
    updated = sum(status.get("updatedNumberScheduled", 0) for status in statuses)
    problems = [
        f"{node.name} has driver {node.driver or 'none'}, declared is {fleet.driver.version}"
        for node in gpu_nodes
        if node.driver != fleet.driver.version
    ]
    if not ready == updated == len(gpu_nodes):
        problems.insert(0, f"{ready} of {len(gpu_nodes)} nodes ready")
    evidence = f"{fleet.driver.version} on {ready} of {len(gpu_nodes)} GPU nodes"
    return claim(text, problems=problems, evidence=evidence)


def operator_works_as_its_service_account(
    cluster: ClusterRecord, *, is_deployed: bool, forbidden: Sequence[str]
) -> Claim:
    """The operator's pod is ready, its process runs under its account, and is allowed its work."""
    operator = cluster.operator
    problems = [] if is_deployed else ["the Deployment has no ready pod"]
    if operator is None or not operator.process.is_alive:
        problems.append("its process does not run")
    elif operator.restarts:
        problems.append(f"its process ended {operator.restarts} times; see {operator.log_file}")
    problems += [f"forbidden: {request}" for request in forbidden]
    account = f"{operator.namespace}/{operator.service_account}" if operator else ""
    return claim(
        "the operator works as its service account",
        problems=problems,
        evidence=f"{account}, nothing forbidden",
    )


def control_plane_runs(cluster: ClusterRecord) -> Claim:
    """No process of the control plane has ended."""
    return claim(
        "every process of the control plane runs",
        problems=[
            f"{dead.name} ended (exit code {dead.exit_code}); see {dead.log_file}"
            for dead in cluster.dead_processes
        ],
        evidence=f"Kubernetes API at {cluster.endpoint}",
    )
