"""Reading the state of a stack with the Pulumi CLI, whose secrets stay encrypted."""

from pathlib import Path
from typing import Any

from daskfleet.access.pulumi_cli import Pulumi

EXPORT = ("stack", "export")
"""Takes no lock, writes nothing, and needs no passphrase or key: no command uses a secret."""

State = dict[str, Any]
"""What ``pulumi stack export`` prints."""

_STACK = "pulumi:pulumi:Stack"


def export_state(project_dir: Path, stack: str | None) -> State:
    """Return the state of the stack, or of the one that pulumi has selected.

    Raises:
        AccessError: there is no pulumi, no such stack, or no login.

    """
    return Pulumi(project_dir=project_dir, stack=stack).document(*EXPORT)


def state_resources(state: State) -> list[dict[str, Any]]:
    """Return the resources of a state, of which an empty one has none."""
    resources: list[dict[str, Any]] = (state.get("deployment") or {}).get("resources") or []
    return resources


def stack_outputs(state: State) -> tuple[str, dict[str, Any]]:
    """Return the stack's name and outputs; both empty before its first `up`."""
    for resource in state_resources(state):
        if resource["type"] == _STACK:
            return resource["urn"].split(":")[2], resource.get("outputs") or {}
    return "", {}
