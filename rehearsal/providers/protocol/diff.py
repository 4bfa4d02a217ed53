"""What changes between two property values, in Pulumi's words.

A detailed diff maps property paths (`nodeConfig.labels["a.b"]`, `taints[0].value`) to a kind:
add, update, delete, each with a twin that forces a replacement. Which paths replace is data of
the provider: a path such as `nodeConfig.guestAccelerators` covers everything below it and
ignores list positions.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, TypeAlias

from pulumi.runtime.proto import provider_pb2

from rehearsal.providers.protocol.values import Properties, reveal

Path: TypeAlias = tuple[str | int, ...]
"""Keys and list positions from the root of the properties to a value."""

_PLAIN_KEY: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")


class Change(Enum):
    """Kind of one change, by the protocol's own numbers (`PropertyDiff.Kind`)."""

    ADD = provider_pb2.PropertyDiff.ADD
    ADD_REPLACE = provider_pb2.PropertyDiff.ADD_REPLACE
    DELETE = provider_pb2.PropertyDiff.DELETE
    DELETE_REPLACE = provider_pb2.PropertyDiff.DELETE_REPLACE
    UPDATE = provider_pb2.PropertyDiff.UPDATE
    UPDATE_REPLACE = provider_pb2.PropertyDiff.UPDATE_REPLACE

    @property
    def replaces(self) -> bool:
        """Whether this change needs a new resource."""
        return self.name.endswith("_REPLACE")

    def forcing_replacement(self) -> "Change":
        """Return the twin that replaces."""
        return self if self.replaces else Change[f"{self.name}_REPLACE"]


@dataclass(frozen=True, kw_only=True)
class Diff:
    """Answer to the engine's Diff; no changes means that the resource stays as it is."""

    changes: Mapping[Path, Change] = field(default_factory=dict)
    delete_before_replace: bool = False

    @property
    def replaces(self) -> bool:
        """Whether any change needs a new resource."""
        return any(change.replaces for change in self.changes.values())


def changed_paths(old: Properties, new: Properties) -> dict[Path, Change]:
    """Find every leaf where the two differ; None and absence are the same.

    An added or removed block is reported leaf by leaf, so that a replacing path inside it counts.
    """
    return dict(_changes((), reveal(old), reveal(new)))


def with_replacements(
    changes: Mapping[Path, Change], *, replacing: Callable[[Path], bool]
) -> dict[Path, Change]:
    """Return the changes, those on replacing paths turned into replacements."""
    return {
        path: change.forcing_replacement() if replacing(path) else change
        for path, change in changes.items()
    }


def covered_by(patterns: Iterable[str]) -> Callable[[Path], bool]:
    """Build the predicate: a path is at or below a dotted pattern, list positions ignored."""
    wanted = [tuple(pattern.split(".")) for pattern in patterns]

    def covers(path: Path) -> bool:
        keys = tuple(part for part in path if isinstance(part, str))
        return any(keys[: len(pattern)] == pattern for pattern in wanted)

    return covers


def format_path(path: Path) -> str:
    """Write the path in Pulumi's notation."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _PLAIN_KEY.fullmatch(part):
            text += f".{part}" if text else part
        else:
            text += f"[{json.dumps(part)}]"
    return text


def _changes(path: Path, old: Any, new: Any) -> Iterator[tuple[Path, Change]]:
    kinds = {type(value) for value in (old, new) if value is not None}
    if kinds in ({dict}, {list}) and (old or new):
        before, after = _children(old), _children(new)
        for key in sorted(before.keys() | after.keys()):
            yield from _changes((*path, key), before.get(key), after.get(key))
    elif old is None and new is not None:
        yield path, Change.ADD
    elif old is not None and new is None:
        yield path, Change.DELETE
    elif type(old) is not type(new) or old != new:
        yield path, Change.UPDATE


def _children(value: Any) -> dict[Any, Any]:
    if isinstance(value, list):
        return dict(enumerate(value))
    return dict(value or {})
