"""Tries a sample of the project's mutants."""

import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import islice

from tests.mutants.equivalents import key_of, known
from tests.mutants.mutations import Mutant, mutants_of
from tests.mutants.rooms import ROOMS
from tests.mutants.sample import in_random_order
from tests.mutants.trial import Tried, tried
from tests.project import PROJECT_DIR

COUNT = 60
MINUTES = 20.0


def head() -> str:
    """Return the commit: with each one others are tried, and with the same one the same."""
    asked = ["git", "rev-parse", "HEAD"]
    return subprocess.run(
        asked, cwd=PROJECT_DIR, capture_output=True, text=True, check=True
    ).stdout.strip()


def all_mutants(paths: Sequence[str]) -> list[Mutant]:
    """Return every mutant of some rooms, or of folders or files in them."""
    # What git ignores is not ours: a policy pack has an environment of its own beside its code.
    asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *paths]
    listed = subprocess.run(asked, cwd=PROJECT_DIR, capture_output=True, text=True, check=True)
    files = sorted(file for file in listed.stdout.split("\0") if file.endswith(".py"))
    return [
        mutant for file in files for mutant in mutants_of(file, (PROJECT_DIR / file).read_text())
    ]


def run(
    *,
    count: int = COUNT,
    minutes: float = MINUTES,
    seed: str = "",
    paths: Sequence[str] = ROOMS,
) -> list[Tried]:
    """Try some, and say of each what became of it."""
    order = in_random_order(all_mutants(paths), seed or head())
    until = time.monotonic() + minutes * 60
    results = []
    equivalents = {key_of(entry) for entry in known()}
    for each in islice(tried(order, PROJECT_DIR, equivalents=equivalents, until=until), count):
        results.append(each)
        line, _ = each.mutant.place
        verdict = "killed  " if each.killed else "SURVIVED"
        print(f"{verdict} {each.mutant.path}:{line}", file=sys.stderr, flush=True)  # noqa: T201
    return results
