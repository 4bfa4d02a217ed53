"""What became of each case, kept by id and commit: a run can be interrupted and goes on later."""

import json
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tests.faults.case import Command
from tests.project import PROJECT_DIR

REPORT = PROJECT_DIR / "bench" / "results" / "faults.json"
NOTES = PROJECT_DIR / ".rehearsal" / "faults.jsonl"
"""Results so far, one per line; not part of the repository."""

_DIRTY = "-dirty"

Ending = Literal["went through", "again", "replaced", "recovered", "failed"]

_ENDINGS: Mapping[tuple[Command, ...], Ending] = {
    (): "went through",
    ("up or destroy",): "again",
    ("up --replace",): "replaced",
    ("state unprotect", "up --replace"): "replaced",
    ("recover", "up or destroy"): "recovered",
    ("recover --existing", "up or destroy"): "recovered",
    ("recover --break-lock", "up or destroy"): "recovered",
}


class Result(BaseModel):
    """One case."""

    model_config = ConfigDict(frozen=True)

    case: str
    family: str
    commit: str
    ending: Ending
    reason: str = ""
    """Why it failed."""


class Report(BaseModel):
    """All cases, as docs/evidence.md quotes them."""

    model_config = ConfigDict(frozen=True)

    date: str
    commits: Sequence[str]
    """On which the cases ran last: several, when a run was interrupted by a change."""
    cases: int
    endings: Mapping[Ending, int]
    """went through: the engine got there by itself. again: the same command once more. replaced:
    `pulumi up --replace`, of something protected after `pulumi state unprotect`. recovered:
    `daskfleet recover`, then the same command."""
    families: Mapping[str, int]
    failures: Mapping[str, str]
    not_run: Sequence[str]
    """Cases of the catalogue that this run did not come to."""


def ending_after(commands: tuple[Command, ...]) -> Ending:
    """Return how a case ended that took these commands."""
    return _ENDINGS[commands]


def current_commit() -> str:
    """Return the commit that is checked out, ending in ``-dirty`` when files differ from it."""
    command = ["git", "describe", "--always", "--exclude=*", f"--dirty={_DIRTY}"]
    done = subprocess.run(command, cwd=PROJECT_DIR, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def keep(result: Result) -> None:
    """Note a result at once."""
    NOTES.parent.mkdir(exist_ok=True)
    with NOTES.open("a", encoding="utf-8") as notes:
        notes.write(result.model_dump_json() + "\n")


def kept() -> dict[str, Result]:
    """Return the last result of each case."""
    if not NOTES.exists():
        return {}
    results = [Result.model_validate_json(line) for line in NOTES.read_text().splitlines()]
    return {result.case: result for result in results}


def is_done(case: str, *, commit: str) -> bool:
    """Tell whether a case has passed on this very commit."""
    result = kept().get(case)
    if result is None or result.ending == "failed" or commit.endswith(_DIRTY):
        return False
    return result.commit == commit


def write_report(results: Sequence[Result], *, not_run: Sequence[str]) -> Report:
    """Write the report of a run."""
    report = Report(
        date=datetime.now(UTC).date().isoformat(),
        commits=sorted({result.commit for result in results}),
        cases=len(results),
        endings=dict(sorted(Counter(result.ending for result in results).items())),
        families=dict(sorted(Counter(result.family for result in results).items())),
        failures={result.case: result.reason for result in results if result.ending == "failed"},
        not_run=not_run,
    )
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.write_text(json.dumps(report.model_dump(), indent=2) + "\n", encoding="utf-8")
    return report
