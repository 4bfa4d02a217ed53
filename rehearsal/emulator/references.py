"""What a pool refers to in its project: a placement policy. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rehearsal.emulator.errors import InvalidArgumentError, UnimplementedError
from rehearsal.emulator.machines import region_of

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import Project

_COMPACT_SERIES = ("a2", "a3", "c2", "c2d", "c3", "c3d", "c4d", "g2", "h3", "h4d", "n2", "n2d")
"""cloud.google.com/kubernetes-engine/docs/how-to/compact-placement, "Limitations"."""


def check_references(pool: Document, *, project: Project) -> None:
    """Raise InvalidArgumentError for what a pool names and the project does not have.

    The words are the emulator's. Raises UnimplementedError for a topology of TPUs.
    """
    policy = pool.get("placementPolicy", {})
    if policy.get("tpuTopology"):
        raise UnimplementedError("The emulator does not model placementPolicy.tpuTopology: TPUs.")
    if policy.get("type", "TYPE_UNSPECIFIED") == "TYPE_UNSPECIFIED" and not policy.get(
        "policyName"
    ):
        return
    zones, machine = pool["locations"], pool["config"]["machineType"]
    if len(zones) > 1:
        raise InvalidArgumentError(
            f"placementPolicy: machines that are placed together are in one zone, and the pool has "
            f"{', '.join(zones)}."
        )
    if machine.split("-", maxsplit=1)[0] not in _COMPACT_SERIES:
        raise InvalidArgumentError(
            f"placementPolicy: machine type {machine} cannot be placed together; these series can: "
            f"{', '.join(_COMPACT_SERIES)}."
        )
    name = policy.get("policyName")
    path = f"regions/{region_of(zones[0])}/resourcePolicies/{name}"
    if name and path not in project.compute:
        raise InvalidArgumentError(f"Project {project.name} has no resource policy {path}.")
