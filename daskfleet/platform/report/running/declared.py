"""What the last `up` declared, and the way to the cluster: one export of Pulumi's state."""

from dataclasses import dataclass
from pathlib import Path

from daskfleet.access.declared_fleet import declared_fleet, validated
from daskfleet.access.kubeconfig import Kubeconfig, required_kubeconfig
from daskfleet.access.pulumi_state import State, export_state, stack_outputs, state_resources
from daskfleet.contract.outputs import FleetOutputs
from daskfleet.platform.drift.google import CLUSTER_TYPE
from daskfleet.platform.report.running.certificates import Certificate, certificates_in


@dataclass(frozen=True, kw_only=True)
class Declared:
    """The part of the state that the page needs; nothing of it is shown but what is no secret."""

    stack: str
    outputs: FleetOutputs
    kubeconfig: Kubeconfig
    google_cluster: str
    """``projects/P/locations/L/clusters/C``; empty where the state has none."""
    certificates: tuple[Certificate, ...]


def read_declared(project_dir: Path, stack: str | None) -> Declared:
    """Read the state with the ``pulumi`` CLI.

    Raises:
        AccessError: there is no pulumi, no such stack, no login, or nothing was brought up.

    """
    return declared_in(export_state(project_dir, stack))


def declared_in(state: State) -> Declared:
    """Pure: read a state.

    Raises:
        AccessError: nothing was brought up, or another release of the program did it.

    """
    name, found = stack_outputs(state)
    declared_fleet(found)
    kubeconfig = required_kubeconfig(state)
    return Declared(
        stack=name,
        outputs=validated(FleetOutputs, found, what="The stack's outputs lack"),
        kubeconfig=kubeconfig,
        google_cluster=next(
            (
                str(each.get("id", ""))
                for each in state_resources(state)
                if each["type"] == CLUSTER_TYPE and not each.get("delete")
            ),
            "",
        ),
        certificates=certificates_in(state, kubeconfig),
    )
