"""Values that all stacks of a project share: defaults of its ``Pulumi.yaml``.

``config: {labels: {default: {org: acme}}}`` is Pulumi's own way. A stack file that has the key
replaces the whole value (pulumi 3.256, sdk/go/common/workspace/config.go,
``ValidateStackConfigAndApplyProjectConfig``).
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from daskfleet.stack_text.mistakes import Misread, Mistake, Place
from daskfleet.stack_text.read import read_file

NAMESPACE = "daskfleet"
"""Namespace of this program's keys in a stack file: the name of the Pulumi project."""

PROJECT_FILE = "Pulumi.yaml"
STACK_CONFIG_DIR = "stackConfigDir"
CONFIG, DEFAULT = "config", "default"


@dataclass(frozen=True, kw_only=True)
class SharedSettings:
    """What a project says for all of its stacks; with mistakes nothing."""

    file: str = PROJECT_FILE
    values: Mapping[str, object] = field(default_factory=dict)
    """By key without the namespace."""

    lines: Mapping[Place, int] = field(default_factory=dict)
    """Where they stand, by their place in the settings."""

    mistakes: tuple[Mistake, ...] = ()


def project_of(stack_file: Path) -> Path | None:
    """Find the project file whose ``stackConfigDir`` a stack file is in, else the one beside it.

    No other file above counts: it is another project's, or a stranger's in a shared folder. One
    that cannot be read, right above, is returned to be refused.
    """
    folder = stack_file.absolute().parent
    above = (each / PROJECT_FILE for each in folder.parents)
    named = next((each for each in above if _config_dir(each) == folder), None)
    beside, unreadable = folder / PROJECT_FILE, folder.parent / PROJECT_FILE
    if named or beside.is_file():
        return named or beside
    return unreadable if unreadable.is_file() and read_file(unreadable).mistakes else None


def _config_dir(file: Path) -> Path | None:
    content = read_file(file).content if file.is_file() else None
    name = content.get(STACK_CONFIG_DIR) if isinstance(content, dict) else None
    return Path(os.path.normpath(file.parent / name)) if isinstance(name, str) else None


def shared_settings(file: Path | None) -> SharedSettings:
    """Read them from a project's file; without one there are none."""
    if file is None or not file.is_file():
        return SharedSettings()
    text = read_file(file)
    if text.mistakes:
        return SharedSettings(file=str(file), mistakes=text.mistakes)
    values: dict[str, object] = {}
    lines: dict[Place, int] = {}
    config = text.content.get(CONFIG) if isinstance(text.content, dict) else None
    declarations = config if isinstance(config, dict) else {}
    if mistakes := written_twice(declarations):
        return SharedSettings(file=str(file), mistakes=mistakes)
    for key, declared in declarations.items():
        name = str(key).removeprefix(f"{NAMESPACE}:")
        path: Place = (CONFIG, key)
        value = declared
        if isinstance(declared, dict):
            path, value = (*path, DEFAULT), declared.get(DEFAULT)
        # A key that is only typed has none. One of another namespace is a provider's.
        if ":" in name or value is None:
            continue
        values[name] = value
        lines |= {
            (name, *place[len(path) :]): line
            for place, line in text.lines.items()
            if place[: len(path)] == path
        }
    return SharedSettings(file=str(file), values=values, lines=lines)


def written_twice(config: Mapping[str, object]) -> tuple[Mistake, ...]:
    """Return a mistake for each key that is there with the namespace and without it.

    `pulumi config` was seen to take the one or the other from run to run (3.256).
    """
    both = (key for key in config if f"{NAMESPACE}:{key}" in config)
    return tuple(Mistake(misread=_twice(key), place=(CONFIG, key)) for key in both)


def _twice(key: str) -> Misread:
    return Misread(
        reason=f"There are {key} and {NAMESPACE}:{key}, and Pulumi takes either at random.",
        allowed="one of them",
        next_step=f"keep {NAMESPACE}:{key}.",
    )
