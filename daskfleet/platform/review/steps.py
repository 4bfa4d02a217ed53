"""Steps of the engine, made one for each resource as they come in."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from daskfleet.platform.review.engine_step import EngineStep, ResourceState
from daskfleet.platform.review.model import PoolNodes, PropertyDiff, ReservedNodes, Step
from daskfleet.platform.review.pool_nodes import pool_nodes
from daskfleet.platform.review.property_diffs import property_diffs
from daskfleet.platform.review.property_values import value_at
from daskfleet.platform.review.reserved_nodes import reserved_nodes
from daskfleet.platform.review.step_documents import type_of

Operation = Literal["create", "update", "replace", "delete", "read", "import", "refresh"]

OPERATIONS: Mapping[str, Operation] = {
    "refresh": "refresh",
    "read": "read",
    "read-replacement": "read",
    "import": "import",
    "create": "create",
    "update": "update",
    "delete": "delete",
    "remove-pending-replace": "delete",
    "replace": "replace",
    "create-replacement": "replace",
    "delete-replaced": "replace",
    "import-replacement": "replace",
}
"""The engine's words (pkg/resource/deploy/step.go), the mildest first; ``same`` and what is only
dropped from the state are left out."""

STACK_TYPE = "pulumi:pulumi:Stack"
CLUSTER_TYPE = "gcp:container/cluster:Cluster"
POOL_TYPE = "gcp:container/nodePool:NodePool"
_RANK = {operation: rank for rank, operation in enumerate(dict.fromkeys(OPERATIONS.values()))}
_PARTS_OF_CHILD = 3
_HANDLES = ("id", "name", "selfLink")
"""Outputs by which one resource names another."""

_STAYS = frozenset({"same", "update"})
_GPUS = ("nodeConfig", "guestAccelerators")


@dataclass(kw_only=True)
class _Known:
    step: Step
    handles: frozenset[str] = frozenset()
    """What others may have as their input in order to mean this one."""

    named: tuple[str, ...] = ()
    """Of a replacement that follows: the old values that change."""

    has_new: bool = False


@dataclass(kw_only=True)
class StepTable:
    """The steps so far; what a step's states hold is not kept."""

    unchanged: int = 0
    gpu_keepers: list[str] = field(default_factory=list)
    _known: dict[str, _Known] = field(default_factory=dict)

    def take(self, step: EngineStep) -> None:
        """Take in one step of the engine; components are left out."""
        state = step.new or step.old
        if state is None or not state.is_custom:
            return
        if step.operation in _STAYS and _declares_no_gpus_any_more(step):
            self.gpu_keepers.append(_pool_of(step.urn, state))
        if step.operation == "same":
            self.unchanged += 1
        elif operation := OPERATIONS.get(step.operation):
            self._merge(step, operation, state)

    def steps(self) -> tuple[Step, ...]:
        """All steps in the order in which the engine came to them."""
        found = {urn: _completed(known) for urn, known in self._known.items()}
        replaced = {urn for urn, step in found.items() if step.operation == "replace"}
        owner = {h: urn for urn in replaced for h in self._known[urn].handles}
        return tuple(
            _following(step, self._known[urn].named, replaced, owner) for urn, step in found.items()
        )

    def _merge(self, step: EngineStep, operation: Operation, state: ResourceState) -> None:
        known = self._known.get(step.urn)
        fresh = _step(step, operation, state)
        if known is None:
            known = self._known[step.urn] = _Known(step=fresh)
        else:
            first, second = sorted(
                (known.step, fresh), key=lambda each: _RANK[each.operation], reverse=True
            )
            known.step = replace(
                first,
                diffs=_telling(first, second),
                is_protected=first.is_protected or second.is_protected,
                reserved_before=first.reserved_before or second.reserved_before,
                reserved_after=first.reserved_after or second.reserved_after,
                nodes_before=first.nodes_before or second.nodes_before,
                nodes_after=first.nodes_after or second.nodes_after,
                follows=first.follows or second.follows,
            )
        known.has_new = known.has_new or step.new is not None
        if step.old and operation == "replace":
            known.named = known.named or _replaced_references(step)
        if step.old and step.type == CLUSTER_TYPE:
            values = (step.old.id, *(step.old.outputs.get(key) for key in _HANDLES))
            known.handles |= {each for each in values if isinstance(each, str) and each}


def _telling(first: Step, second: Step) -> tuple[PropertyDiff, ...]:
    """The diffs that say what forces the replacement: only one of its steps may tell."""
    forcing = (each.diffs for each in (first, second) if _is_forced(each))
    return next(forcing, first.diffs or second.diffs)


def _is_forced(step: Step) -> bool:
    return any(diff.forces_replacement for diff in step.diffs)


def _step(step: EngineStep, operation: Operation, state: ResourceState) -> Step:
    parent = state.parent.split("::")
    has_parent = len(parent) > _PARTS_OF_CHILD
    return Step(
        urn=step.urn,
        type=step.type,
        name=step.urn.split("::", 3)[-1],
        operation=operation,
        parent_type=type_of(state.parent) if has_parent else "",
        parent=state.parent.split("::", 3)[-1] if has_parent else "",
        diffs=property_diffs(step),
        reserved_before=_reserved(step, step.old),
        reserved_after=_reserved(step, step.new),
        nodes_before=_nodes(step, step.old),
        nodes_after=_nodes(step, step.new),
        is_protected=bool(step.old and _is_protected(step.old)),
        follows=_provider_urn(step) if step.forcing_keys == ("provider",) else "",
    )


def _reserved(step: EngineStep, state: ResourceState | None) -> ReservedNodes | None:
    return reserved_nodes(state.inputs) if state and step.type == POOL_TYPE else None


def _declares_no_gpus_any_more(step: EngineStep) -> bool:
    """By its inputs: the provider has GPUs as optional and computed, and sees no difference."""
    if step.type != POOL_TYPE or step.old is None or step.new is None:
        return False
    before, after = (value_at(state.inputs, _GPUS) for state in (step.old, step.new))
    return bool(before) and not after


def _pool_of(urn: str, state: ResourceState) -> str:
    """The component that is the pool in the stack file; the node pool itself where it has none."""
    has_parent = len(state.parent.split("::")) > _PARTS_OF_CHILD
    return (state.parent if has_parent else urn).split("::", 3)[-1]


def _nodes(step: EngineStep, state: ResourceState | None) -> PoolNodes | None:
    return pool_nodes(state.inputs) if state and step.type == POOL_TYPE else None


def _is_protected(state: ResourceState) -> bool:
    """Whether Pulumi or Google Cloud refuses to delete it."""
    return state.is_protected or state.inputs.get("deletionProtection") is True


def _completed(known: _Known) -> Step:
    """A deletion of something replaced, without its replacement, ends an earlier update."""
    if known.step.operation == "replace" and not known.has_new:
        return replace(known.step, operation="delete")
    return known.step


def _provider_urn(step: EngineStep) -> str:
    return step.provider.rpartition("::")[0]


def _replaced_references(step: EngineStep) -> tuple[str, ...]:
    """Old values of the inputs that alone force a replacement nobody has compared.

    The engine replaces what depends on a resource that goes before its successor comes, without
    asking the provider (``dependentReplaceKeys`` in pkg/resource/deploy/step_generator.go).
    """
    if step.detailed or step.changed_keys or not step.forcing_keys or not (step.old and step.new):
        return ()
    values = [step.old.inputs.get(key) for key in step.forcing_keys]
    return tuple(value for value in values if isinstance(value, str))


def _following(
    step: Step, named: tuple[str, ...], replaced: set[str], owner: Mapping[str, str]
) -> Step:
    if step.follows and step.follows not in replaced:
        return replace(step, follows="")
    if step.operation == "replace" and not step.follows and named:
        owners = {owner.get(value, "") for value in named}
        if "" not in owners and step.urn not in owners:
            return replace(step, follows=min(owners))
    return step
