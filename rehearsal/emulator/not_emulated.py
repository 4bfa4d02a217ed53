"""Which fields of new clusters and pools are refused: Google acts on them, and nothing here does.

Other fields without an effect here change nothing that a client of Kubernetes could see. They are
kept and answered as sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rehearsal.emulator.errors import UnimplementedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rehearsal.emulator.document import Document

CLUSTER = {
    "alphaClusterFeatureGates": "alpha clusters",
    "autopilot": "Autopilot",
    "enableKubernetesAlpha": "alpha clusters",
    "enableTpu": "TPUs",
    "tpuConfig": "TPUs",
    "tpuIpv4CidrBlock": "TPUs",
}
NODE_POOL = {
    "autopilotConfig": "Autopilot",
    "bestEffortProvisioning": "pools that come with fewer nodes than asked for",
}
NODE_CONFIG = {
    "consolidationDelay": "an autoscaler that waits longer for some pools",
    "ephemeralStorageConfig": "the older form of ephemeralStorageLocalSsdConfig",
    "flexStart": "machines that start when there is capacity",
    "gpuDirectConfig": "GPUDirect",
    "maxRunDuration": "machines that live for a limited time",
    "nodeGroup": "sole-tenant nodes",
    "nodeImageConfig": "images of a client's own for nodes",
    "sandboxConfig": "GKE Sandbox",
    "secondaryBootDisks": "secondary boot disks",
    "soleTenantConfig": "sole-tenant nodes",
    "taintConfig": "taints for machines with Arm",
}
_IMAGES = ("COS", "UBUNTU")


def check_emulated(message: Document, lacking: Mapping[str, str], *, what: str) -> None:
    """Raise UnimplementedError with all fields of a message that ask for what is lacking."""
    asked = [
        f"{what}.{name}: it has no {why}"
        for name, why in lacking.items()
        if _asks(message.get(name))
    ]
    if asked:
        raise UnimplementedError(f"The emulator does not model {'; '.join(asked)}.")


def not_implemented(message: str, field: str, lacking: Mapping[str, str]) -> UnimplementedError:
    """Build the refusal of a field of an update, with what is lacking where that is known."""
    why = f": it has no {lacking[field]}" if field in lacking else ""
    return UnimplementedError(f"The emulator does not implement {message}.{field}{why}.")


def refuse_filter(query: Mapping[str, str], *, what: str) -> None:
    """Raise UnimplementedError for a list that is asked for in part: all of it would be wrong."""
    if "filter" in query:
        raise UnimplementedError(f"The emulator does not filter {what}.")


def check_image(image_type: str) -> None:
    """Raise UnimplementedError for nodes that would run another system."""
    if not image_type.upper().startswith(_IMAGES):
        raise UnimplementedError(
            f"The emulator does not model nodes with image type {image_type}, for example with "
            f"Windows; it has those of {' and '.join(_IMAGES)}."
        )


def _asks(value: Any) -> bool:
    """Tell whether a value asks for something: false, zero and empty do not, at any depth."""
    if isinstance(value, dict):
        return any(map(_asks, value.values()))
    return bool(value)
