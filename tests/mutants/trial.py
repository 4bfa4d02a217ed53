"""Makes the mistakes one by one, in a copy of the project, and lets the room's tests look."""

import contextlib
import shutil
import subprocess
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkResult

from tests.mutants.equivalents import Key, key_of_mutant
from tests.mutants.mutations import Mutant, mutated
from tests.mutants.rooms import command_for, pytest_of, room_of

STARTS_S = 20
"""How much longer than the room's tests a mutant may take: two starts of Python."""
TIMES_SLOWER = 4
"""A mutant that does not end, on a machine that does something else besides."""


@dataclass(frozen=True)
class Tried:
    """One mutant, and whether a test noticed."""

    mutant: Mutant
    killed: bool
    key: Key
    diff: str


class FailingAnywayError(Exception):
    """Who fails without a mistake notices none."""


def tried(
    mutants: Iterable[Mutant], project: Path, *, equivalents: set[Key], until: float
) -> Iterator[Tried]:
    """Try mutants in their order until it is late; those that are equivalent are left out."""
    with copied(project) as copy, contextlib.chdir(copy):
        limits: dict[str, float] = {}
        for mutant in mutants:
            source = Path(mutant.path).read_text()
            text = mutated(mutant, source)
            if text is None or key_of_mutant(mutant, source, text) in equivalents:
                continue
            room = room_of(mutant.path)
            if room not in limits:
                limits[room] = TIMES_SLOWER * duration_s(room) + STARTS_S
            if time.monotonic() > until:
                return
            result = one(mutant, copy, limits[room])
            yield Tried(
                mutant,
                result.test_outcome is not TestOutcome.SURVIVED,
                key_of_mutant(mutant, source, text),
                result.diff or result.output or "",
            )


def one(mutant: Mutant, copy: Path, limit_s: float) -> WorkResult:
    """Make one mistake, run the tests, take it back."""
    # Cosmic Ray asks for an end behind the start, and uses it for its own reports only.
    line, column = mutant.place
    spec = MutationSpec(
        module_path=Path(mutant.path),
        operator_name=f"core/{mutant.operator}",
        occurrence=mutant.occurrence,
        start_pos=(line, column),
        end_pos=(line, column + 1),
        definition_name=mutant.function,
    )
    result: WorkResult = mutate_and_test([spec], command_for(mutant.path, copy), limit_s)
    return result


def duration_s(room: str) -> float:
    """Run a room's tests as they are."""
    start = time.monotonic()
    run = subprocess.run(pytest_of(f"tests/{room}"), capture_output=True, text=True, check=False)
    if run.returncode:
        raise FailingAnywayError(f"tests/{room} fails without any mutant:\n{run.stdout}")
    return time.monotonic() - start


@contextlib.contextmanager
def copied(project: Path) -> Iterator[Path]:
    """Copy what git knows of the project, changes included, for as long as it is needed."""
    files = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(files, cwd=project, capture_output=True, text=True, check=True)
    with TemporaryDirectory(prefix="daskfleet-mutants-") as folder:
        copy = Path(folder)
        for name in filter(None, listed.stdout.split("\0")):
            if (project / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(project / name, copy / name)
        yield copy
