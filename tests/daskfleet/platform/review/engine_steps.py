"""Steps of the engine, as tests need them."""

from collections.abc import Mapping, Sequence
from typing import Any

from daskfleet.platform.review.engine_step import EngineStep
from daskfleet.platform.review.step_documents import step_of_event

STACK = "urn:pulumi:dev::daskfleet::pulumi:pulumi:Stack::daskfleet-dev"
POOL = "gcp:container/nodePool:NodePool"
CLUSTER = "gcp:container/cluster:Cluster"
PROVIDER = "pulumi:providers:kubernetes"
NAMESPACE = "kubernetes:core/v1:Namespace"


def urn_of(kind: str, name: str) -> str:
    return f"urn:pulumi:dev::daskfleet::{kind}::{name}"


def engine_step(
    operation: str,
    *,
    kind: str = POOL,
    name: str = "a100-nodes",
    old: Mapping[str, Any] | None = None,
    new: Mapping[str, Any] | None = None,
    keys: Sequence[str] = (),
    detailed: Mapping[str, str | tuple[str, bool]] | None = None,
    provider: str = "",
    old_outputs: Mapping[str, Any] | None = None,
    protect: bool = False,
    custom: bool = True,
) -> EngineStep:
    """A step with these inputs; ``detailed`` maps paths to kinds of input differences."""
    urn = urn_of(kind, name)
    state = {"custom": custom, "parent": STACK, "id": name}
    before = {**state, "inputs": old or {}, "outputs": old_outputs or {}, "protect": protect}
    after = {**state, "inputs": new or {}}
    return step_of_event(
        {
            "op": operation,
            "urn": urn,
            "old": before if old is not None else None,
            "new": after if new is not None else None,
            "keys": list(keys),
            "provider": provider,
            "detailedDiff": None
            if detailed is None
            else {path: _change(each) for path, each in detailed.items()},
        }
    )


def _change(kind: str | tuple[str, bool]) -> dict[str, Any]:
    name, is_input = kind if isinstance(kind, tuple) else (kind, True)
    return {"diffKind": name, "inputDiff": is_input}
