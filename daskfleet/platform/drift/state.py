"""Pure: Pulumi's state of a stack, which holds what the last ``pulumi up`` declared."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter

from daskfleet.access.kubeconfig import Kubeconfig, kubeconfig_in
from daskfleet.access.pulumi_state import State, state_resources
from daskfleet.contract.declared import DeclaredPool
from daskfleet.platform.drift.model import HIDDEN

_SECRET = "4dabf18193072939515e22adb298388d"  # noqa: S105 - marks a secret, and is none
"""Key of Pulumi's signature of special values (pulumi/pulumi sdk/go/common/resource/sig)."""

_POOLS = TypeAdapter(tuple[DeclaredPool, ...])


class PulumiResource(BaseModel):
    """A resource of the state."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    urn: str
    type: str
    id: str = ""
    custom: bool = False
    delete: bool = False
    """Replaced, and on its way out."""
    inputs: dict[str, Any] = {}
    outputs: dict[str, Any] = {}

    @property
    def kind(self) -> str:
        """The last part of its type: ``NodePool``."""
        return self.type.rpartition(":")[2]

    @property
    def title(self) -> str:
        """How the report names it."""
        metadata = self.inputs.get("metadata")
        if isinstance(metadata, Mapping):
            return f"{self.kind} {_place(metadata)}"
        return f"{self.kind} {self.inputs.get('name') or self.urn.rpartition('::')[2]}"


class StackState(BaseModel):
    """The state, without any secret but the way into the cluster, which holds no credential."""

    model_config = ConfigDict(frozen=True)

    stack: str
    google: tuple[PulumiResource, ...]
    objects: tuple[PulumiResource, ...]
    """Objects in the cluster."""
    releases: tuple[PulumiResource, ...]
    """Helm releases in the cluster."""
    kubeconfig: Kubeconfig | None
    pools: tuple[DeclaredPool, ...]
    """As the stack's outputs name them; none before the first `up` has ended."""
    pending: tuple[str, ...]
    """Resources of which an update says, or said when it was killed, that it works on them."""


def parse_state(document: State) -> StackState:
    """Read what ``pulumi stack export`` prints.

    Raises:
        AccessError: the state holds something that this program does not write.

    """
    deployment = document.get("deployment") or {}
    resources = [
        PulumiResource.model_validate(_without_secrets(entry))
        for entry in state_resources(document)
    ]
    living = [each for each in resources if each.custom and not each.delete]
    in_cluster = [each for each in living if each.type.startswith("kubernetes:")]
    stack = next((each for each in resources if each.type == "pulumi:pulumi:Stack"), None)
    return StackState(
        stack=stack.urn.split(":")[2] if stack else "",
        google=tuple(each for each in living if each.type.startswith("gcp:")),
        objects=tuple(each for each in in_cluster if "metadata" in each.inputs),
        releases=tuple(each for each in in_cluster if each.kind == "Release"),
        kubeconfig=kubeconfig_in(document),
        pools=_POOLS.validate_python(stack.outputs.get("pools", ()) if stack else ()),
        pending=tuple(
            PulumiResource.model_validate(_without_secrets(operation["resource"])).title
            for operation in deployment.get("pending_operations") or []
        ),
    )


def _place(metadata: Mapping[str, Any]) -> str:
    return "/".join(part for part in (metadata.get("namespace"), metadata.get("name")) if part)


def _without_secrets(value: Any) -> Any:
    if isinstance(value, Mapping):
        if _SECRET in value:
            return HIDDEN
        return {key: _without_secrets(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_secrets(item) for item in value]
    return value
