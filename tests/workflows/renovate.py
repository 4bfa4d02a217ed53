"""Renovate's configuration of this repository, and what of a file it would move."""

import json
import re
import subprocess
from dataclasses import dataclass
from typing import Any

from tests.project import PROJECT_DIR

FILE = PROJECT_DIR / ".github/renovate.json"
CONFIG: dict[str, Any] = json.loads(FILE.read_text("utf-8"))


@dataclass(frozen=True)
class CustomManager:
    """What finds pins by regular expressions."""

    files: tuple[re.Pattern[str], ...]
    pins: tuple[re.Pattern[str], ...]

    def found_in(self, path: str) -> list[re.Match[str]]:
        """Give the pins of a file that is its own; none of any other."""
        if not any(each.search(path) for each in self.files):
            return []
        text = (PROJECT_DIR / path).read_text("utf-8")
        return [match for pin in self.pins for match in pin.finditer(text)]


def _file_pattern(pattern: str) -> re.Pattern[str]:
    assert pattern.startswith("/"), "written as a regular expression, so that this test can read it"
    assert pattern.endswith("/")
    return re.compile(pattern[1:-1])


def _files_of(entry: dict[str, Any]) -> tuple[re.Pattern[str], ...]:
    return tuple(_file_pattern(each) for each in entry["managerFilePatterns"])


MANAGERS = {
    name: _files_of(CONFIG[name]) for name in CONFIG["enabledManagers"] if name != "custom.regex"
}
"""What reads files of a kind that Renovate knows, by name."""

CUSTOM_MANAGERS = tuple(
    CustomManager(
        files=_files_of(entry),
        # RE2, and so JavaScript, spells named groups without the P.
        pins=tuple(re.compile(each.replace("(?<", "(?P<")) for each in entry["matchStrings"]),
    )
    for entry in CONFIG["customManagers"]
)


def tracked() -> list[str]:
    """Each file of the repository, and those that are about to be added."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],  # noqa: S607
        cwd=PROJECT_DIR,
        capture_output=True,
        text=True,
        check=True,
    )
    return [each for each in listed.stdout.splitlines() if (PROJECT_DIR / each).is_file()]


def manager_of(path: str) -> str | None:
    """Give the manager that takes a file for its own."""
    taken = (name for name, files in MANAGERS.items() if any(each.search(path) for each in files))
    return next(taken, None)


def rules_for(dependency: str) -> list[dict[str, Any]]:
    """Give the rules that name a dependency."""
    rules: list[dict[str, Any]] = CONFIG["packageRules"]
    return [rule for rule in rules if dependency in rule.get("matchDepNames", ())]
