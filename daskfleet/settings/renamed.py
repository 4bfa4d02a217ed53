"""Settings that were renamed: stack files of an earlier release go on working.

A rename is kept here for one major version, as an alias is kept for a renamed resource.
"""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from daskfleet.settings.shape import Path, path_text


@dataclass(frozen=True, kw_only=True)
class Renamed:
    """A setting that stands elsewhere now."""

    old: Path
    new: Path
    since: str
    """The release that renamed it."""

    @property
    def notice(self) -> str:
        """What somebody is told whose file has the old name."""
        return (
            f"{path_text(self.old)} is called {path_text(self.new)} since {self.since}. The old "
            f"name still works. Write the new one."
        )


RENAMED = (Renamed(old=("cluster", "deletion_protection"), new=("long_lived",), since="0.2.0"),)


def with_new_names(document: Mapping[str, object]) -> tuple[dict[str, object], tuple[str, ...]]:
    """The document in today's names, and a notice for each name that was not.

    Where both names are given, the old one stays and is refused as an unknown key.
    """
    today: dict[str, Any] = deepcopy(dict(document))
    moved = [each for each in RENAMED if _move(today, each)]
    return today, tuple(each.notice for each in moved)


def _move(document: dict[str, Any], renamed: Renamed) -> bool:
    source = _parent_of(document, renamed.old)
    target = _parent_of(document, renamed.new)
    if source is None or target is None or renamed.new[-1] in target:
        return False
    target[renamed.new[-1]] = source.pop(renamed.old[-1])
    return True


def _parent_of(document: dict[str, Any], path: Path) -> dict[Any, Any] | None:
    """The mapping that holds, or may hold, the last key of a path."""
    node: Any = document
    for part in path[:-1]:
        node = node.get(part) if isinstance(node, Mapping) else None
    is_there = isinstance(node, dict) and (len(path) == 1 or path[-1] in node)
    return node if is_there else None
