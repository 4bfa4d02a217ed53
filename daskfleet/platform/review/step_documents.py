"""A step's JSON, which events and digest spell alike but for the names of some keys."""

from collections.abc import Mapping
from typing import Any

from daskfleet.platform.review.engine_step import EngineStep, PathChange, ResourceState


def step_of_event(metadata: Mapping[str, Any]) -> EngineStep:
    """A step from an event (``apitype.StepEventMetadata``)."""
    return _step(
        metadata,
        old=metadata.get("old"),
        new=metadata.get("new"),
        forcing=metadata.get("keys"),
        changed=metadata.get("diffs"),
    )


def step_of_digest(step: Mapping[str, Any]) -> EngineStep:
    """A step from a digest (``display.PreviewStep``)."""
    return _step(
        step,
        old=step.get("oldState"),
        new=step.get("newState"),
        forcing=step.get("replaceReasons"),
        changed=step.get("diffReasons"),
    )


def _step(step: Mapping[str, Any], *, old: Any, new: Any, forcing: Any, changed: Any) -> EngineStep:
    urn = str(step["urn"])
    detailed = step.get("detailedDiff")
    return EngineStep(
        operation=str(step["op"]),
        urn=urn,
        type=type_of(urn),
        provider=step.get("provider") or "",
        old=None if old is None else _state(old),
        new=None if new is None else _state(new),
        forcing_keys=tuple(forcing or ()),
        changed_keys=tuple(changed or ()),
        detailed=None if detailed is None else {p: _change(c) for p, c in detailed.items()},
    )


def _state(state: Mapping[str, Any]) -> ResourceState:
    return ResourceState(
        is_custom=bool(state.get("custom")),
        is_protected=bool(state.get("protect")),
        parent=state.get("parent") or "",
        id=str(state.get("id") or ""),
        inputs=state.get("inputs") or {},
        outputs=state.get("outputs") or {},
    )


def _change(change: Mapping[str, Any]) -> PathChange:
    # The key is diffKind in events and kind in a digest (apitype/events.go, pkg/display/json.go).
    return PathChange(
        kind=str(change.get("diffKind") or change.get("kind") or "update"),
        is_input=bool(change.get("inputDiff")),
    )


def type_of(urn: str) -> str:
    """The type of the resource itself, without its parents'."""
    return urn.split("::")[2].rpartition("$")[2]
