"""Leave out what is wrong with a document so that the rest can be checked as well.

A repair may hide a problem, which shows once the first ones are corrected; it must never invent
one. So a mistake in what other checks depend on (where the nodes are, what the pools are, what
the image needs) ends the repair, and a team with a mistake is taken as one without workers.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, TypeAlias

from daskfleet.settings.shape import Path, ShapeProblem

PLACEHOLDER_PROJECT = "unknown-project"

INDEPENDENT = frozenset({"cluster", "labels", "network", "operator", "prices", "system_pool"})
"""Sections whose defaults pass every check, whatever the other sections say."""

Json: TypeAlias = Any


def repaired(
    document: Mapping[str, object], problems: Sequence[ShapeProblem]
) -> dict[str, object] | None:
    """A copy of ``document`` without these problems; ``None`` when too little would remain."""
    rest: dict[str, Json] = deepcopy(dict(document))
    for each in problems:
        if each.kind in {"unknown", "conflict"} and len(each.path) > 1:
            _remove(rest, each.path)
        elif each.kind == "unknown":
            rest.pop(str(each.path[0]), None)
        elif each.path == ("project",):
            rest["project"] = PLACEHOLDER_PROJECT
        elif each.path[:1] == ("teams",) and len(each.path) > 1:
            _silence_team(rest["teams"], each.path)
        elif each.path and each.path[0] in INDEPENDENT:
            rest.pop(str(each.path[0]), None)
        else:
            return None
    return rest


def _remove(document: Json, path: Path) -> None:
    """Remove a key, unless an earlier repair has removed what it was in."""
    for part in path[:-1]:
        is_there = part in document if isinstance(document, dict) else int(part) < len(document)
        if not is_there:
            return
        document = document[part]
    document.pop(path[-1], None)


def _silence_team(teams: list[Json], path: Path) -> None:
    """Keep a team's place in the list, without what is wrong and without workers."""
    index = int(path[1])
    team = teams[index]
    if not isinstance(team, dict):
        teams[index] = team = {"name": f"unreadable-{index}"}
    elif len(path) > 2:  # noqa: PLR2004 - ("teams", index, key, ...)
        team.pop(path[2], None)
    team.pop("adaptive", None)
    team.pop("ephemeral", None)
    team["workers"] = 0
    team.setdefault("name", f"unreadable-{index}")
