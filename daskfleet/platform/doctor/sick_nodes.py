"""Pure: nodes of the fleet whose GPU is sick, with the command that has them made anew."""

from collections.abc import Iterator, Sequence

from daskfleet.contract.nodes import ZONE_LABEL
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.pod_status import KubernetesObject, label
from daskfleet.settings.stack import Stack
from daskfleet.visible import in_short
from in_cluster.gpu_health.note import Note
from in_cluster.gpu_health.signs import reported

LONGEST = 200
"""Characters of what a Node says."""

REPAIR = (
    "Delete the machine when its workers have left, and GKE makes it again. GKE does not repair "
    "such a node by itself (docs/health.md)."
)


def sick_node_findings(nodes: Sequence[KubernetesObject], stack: Stack) -> Iterator[Finding]:
    """Say of each node whose GPU is sick what is wrong with it, and how it is repaired."""
    findings = [found for node in nodes if (found := _of_node(node, stack))]
    yield from findings
    if not findings:
        yield Finding(
            area=Area.ZONE,
            subject="GPUs of the nodes",
            outcome=Outcome.OK,
            needed="none that is sick",
            there=f"{len(nodes)} nodes with GPUs, and none reports a critical error",
        )


def _of_node(node: KubernetesObject, stack: Stack) -> Finding | None:
    note, told = Note.of(node), reported(node)
    if note is None and not told:
        return None
    name = node["metadata"]["name"]
    state = f"drained since {note.since:%Y-%m-%d %H:%M} UTC" if note else "not drained"
    why = in_short(told or (note.why if note else ""), LONGEST)
    return Finding(
        area=Area.ZONE,
        subject=f"node {name}",
        outcome=Outcome.WARNING,
        needed="GPUs that work",
        there=f"{why}, {state}",
        fix=REPAIR,
        command=f"gcloud compute instances delete {name} "
        f"--zone={label(node, ZONE_LABEL) or stack.zone} --project={stack.project}",
    )
