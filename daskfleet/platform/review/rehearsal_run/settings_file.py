"""A stack file as it is rehearsed: with waits that suit a machine where nothing boots."""

from pathlib import Path
from typing import Any

import yaml

from daskfleet.files import write_private_file
from daskfleet.stack_text.project_file import NAMESPACE, project_of, shared_settings
from daskfleet.stack_text.read import read_file

LONGEST_WAIT_S = 120
"""The default of ``ready_timeout_s`` is half an hour, for nodes that boot and images that are
pulled. Here a pod is ready within seconds or never."""

TEAMS = ("daskfleet:teams", "teams")
"""Pulumi takes a key without a namespace as the project's."""

PUT_IN_PLACE = {
    "daskfleet:cluster": ("endpoint",),
    "daskfleet:operator": ("chart",),
}
"""What a rehearsal sets itself (``rehearsal.stage.stack_file``)."""


def write_for_rehearsal(stack_file: Path, copy: Path) -> None:
    """Copy a stack file with no wait longer than two minutes.

    What is no stack file is copied as it is: whoever reads it says what is wrong.
    """
    write_private_file(copy, stack_file.read_bytes())
    document = read_file(stack_file).content
    if isinstance(document, dict) and isinstance(document.get("config"), dict):
        for key in TEAMS:
            document["config"] |= _with_short_waits(_config(stack_file), key)
        write_private_file(copy, yaml.safe_dump(document, sort_keys=False))


def _with_short_waits(config: dict[str, Any], key: str) -> dict[str, Any]:
    teams = config.get(key)
    if not isinstance(teams, list) or not all(isinstance(team, dict) for team in teams):
        return {}
    return {key: [{**team, "ready_timeout_s": _shorter(team)} for team in teams]}


def _shorter(team: dict[str, Any]) -> object:
    given = team.get("ready_timeout_s", LONGEST_WAIT_S)
    return min(given, LONGEST_WAIT_S) if isinstance(given, int) else given


def not_rehearsed(base: Path, head: Path) -> tuple[str, ...]:
    """Settings that the change gives other values, and that a rehearsal has its own values for."""
    before, after = (_config(file) for file in (base, head))
    return tuple(
        f"{key}.{name}"
        for key, names in PUT_IN_PLACE.items()
        for name in names
        if _value(before, key, name) != _value(after, key, name)
    )


def _config(file: Path) -> dict[str, Any]:
    """What a stack has: its file's values, and the project's where the file has none."""
    document = read_file(file).content
    config = document.get("config") if isinstance(document, dict) else None
    own = config if isinstance(config, dict) else {}
    shared = shared_settings(project_of(file)).values.items()
    return {f"{NAMESPACE}:{name}": value for name, value in shared if name not in own} | own


def _value(config: dict[str, Any], key: str, name: str) -> object:
    part = config.get(key)
    return part.get(name) if isinstance(part, dict) else None
