"""Pure: which properties of a resource change, from what to what, and which of them replace it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from daskfleet.planning.changes.property_path import path_text
from daskfleet.planning.changes.rules import direction_of
from daskfleet.platform.review.engine_step import EngineStep, PathChange, ResourceState
from daskfleet.platform.review.model import PropertyDiff, PropertyKind
from daskfleet.platform.review.named_lists import (
    NamedChange,
    changes_of_named,
    is_named_list,
    named_list_at,
)
from daskfleet.platform.review.presentable import shown
from daskfleet.platform.review.property_values import Parts, parts_or_key, value_at

ANOTHER = "(another one)"
_SECRET = "/v1:Secret"  # noqa: S105 - a type
_REPLACES = "-replace"
_MISSING = object()
_SETS: frozenset[Parts] = frozenset({("nodeLocations",)})
"""Lists whose order means nothing to their provider: told as a whole, not by position."""


@dataclass(frozen=True, kw_only=True)
class _Change:
    path: str
    kind: str
    forces: bool
    old: Any
    new: Any


def property_diffs(step: EngineStep) -> tuple[PropertyDiff, ...]:
    """The changed properties of an update or a replacement, by path."""
    if step.old is None or step.new is None:
        return ()
    changes = _detailed(step, step.old, step.new) if step.detailed else _compared(step)
    diffs = {change.path: _diff(change, of=step.type) for change in changes}
    return tuple(diffs[path] for path in sorted(diffs))


def _detailed(step: EngineStep, old: ResourceState, new: ResourceState) -> Iterator[_Change]:
    """What the provider says that it compared."""
    lists: dict[Parts, bool] = {}
    for path, change in (step.detailed or {}).items():
        parts = parts_or_key(path)
        forces = change.kind.endswith(_REPLACES) or _is_forcing(parts, step.forcing_keys)
        if parts[:1] in _SETS:
            yield _whole(parts[:1], *_values(parts[:1], change, old, new))
            continue
        if prefix := named_list_at(parts, old.inputs, new.inputs):
            lists[prefix] = lists.get(prefix, False) or forces
            continue
        before, after = _values(parts, change, old, new)
        yield _Change(
            path=path,
            kind=change.kind.removesuffix(_REPLACES),
            forces=forces,
            old=before,
            new=after,
        )
    for at, forces in lists.items():
        for named in changes_of_named(value_at(old.inputs, at), value_at(new.inputs, at)):
            yield _named(at, named, forces=forces)


def _values(
    parts: Parts, change: PathChange, old: ResourceState, new: ResourceState
) -> tuple[Any, Any]:
    """The values at a path: inputs, or what is there where the inputs do not show a change."""
    before, after = value_at(old.inputs, parts), value_at(new.inputs, parts)
    is_seen_outside = not change.is_input and before == after
    if is_seen_outside or before is after is None:
        before = value_at(old.outputs, parts)
        if after is None:
            after = value_at(new.outputs, parts)
    return before, after


def _named(at: Parts, named: NamedChange, *, forces: bool) -> _Change:
    path = path_text((*at, named.name) if named.name else at)
    return _Change(path=path, kind=named.kind, forces=forces, old=named.old, new=named.new)


def _whole(at: Parts, old: Any, new: Any) -> _Change:
    return _Change(path=path_text(at), kind="update", forces=False, old=old, new=new)


def _compared(step: EngineStep) -> Iterator[_Change]:
    """What differs between the inputs, where nobody has compared them."""
    if step.old is None or step.new is None:
        return
    for key in step.forcing_keys:
        # No input, but the resource's provider.
        if key not in step.old.inputs and key not in step.new.inputs:
            yield _Change(path=key, kind="update", forces=True, old=None, new=ANOTHER)
    for change in _differences(step.old.inputs, step.new.inputs, ()):
        forces = _is_forcing(parts_or_key(change.path), step.forcing_keys)
        yield _Change(
            path=change.path, kind=change.kind, forces=forces, old=change.old, new=change.new
        )


def _differences(old: Any, new: Any, at: Parts) -> Iterator[_Change]:
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in sorted(old.keys() | new.keys()):
            if key != "__defaults":
                before, after = old.get(key, _MISSING), new.get(key, _MISSING)
                yield from _differences(before, after, (*at, key))
    elif at in _SETS:
        yield _whole(at, old, new)
    elif isinstance(old, list) and isinstance(new, list):
        if is_named_list(at, old, new):
            for named in changes_of_named(old, new):
                yield _named(at, named, forces=False)
            return
        for position in range(max(len(old), len(new))):
            before = old[position] if position < len(old) else _MISSING
            after = new[position] if position < len(new) else _MISSING
            yield from _differences(before, after, (*at, position))
    else:
        kind = "add" if old is _MISSING else "delete" if new is _MISSING else "update"
        yield _Change(
            path=path_text(at),
            kind=kind,
            forces=False,
            old=None if old is _MISSING else old,
            new=None if new is _MISSING else new,
        )


def _is_forcing(parts: Parts, keys: tuple[str, ...]) -> bool:
    return any(parts[: len(known)] == known for known in map(parts_or_key, keys))


def _diff(change: _Change, *, of: str) -> PropertyDiff:
    path = parts_or_key(change.path)
    if of.endswith(_SECRET):
        # Whatever its data are called; the names of the object itself are no secret.
        path = path if path[0] in {"metadata", "type", "immutable"} else ("secret", *path)
    return PropertyDiff(
        path=change.path,
        kind=_kind(change.kind),
        forces_replacement=change.forces,
        old=shown(change.old, path),
        new=shown(change.new, path),
        direction=direction_of(change.old, change.new),
    )


def _kind(kind: str) -> PropertyKind:
    return next((known for known in get_args(PropertyKind) if known == kind), "update")
