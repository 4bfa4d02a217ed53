"""How long a review of a large preview takes, and how much memory."""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import get_args

from bench.record import Figures
from bench.review_stream import RESOURCES_PER_TEAM, Change, write_stream
from bench.stack_of_teams import write_stack_file
from daskfleet.checkout import PROJECT_DIR

RESOURCES = 5000
BYTES_PER_MB = 1e6


class ReviewRun(Figures):
    """One event stream, read, judged and written as a comment once."""

    read_s: float
    assess_s: float
    markdown_s: float
    cpu_s: float
    """For all three; less than their sum when others had the machine."""
    peak_mib: float
    """Of the whole process, the interpreter and the settings among it."""
    steps: int
    characters: int
    """Of the comment."""

    @property
    def total_s(self) -> float:
        """What the aim is about."""
        return self.read_s + self.assess_s + self.markdown_s


class ReviewRow(Figures):
    """All runs for one kind of change."""

    change: Change
    stream_mb: float
    runs: tuple[ReviewRun, ...]


class ReviewResult(Figures):
    """What ``python -m bench review`` measures."""

    resources: int
    rows: tuple[ReviewRow, ...]


def measure_reviews(*, runs: int, progress: Callable[[str], None]) -> ReviewResult:
    """Review previews of 5,000 resources, each run in an interpreter of its own.

    Raises:
        subprocess.CalledProcessError: a run failed; what it said went to standard error.
    """
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        stack_file = Path(scratch) / "Pulumi.bench.yaml"
        write_stack_file(stack_file, teams=-(-RESOURCES // RESOURCES_PER_TEAM))
        for change in get_args(Change):
            progress(f"review of {RESOURCES} resources, change: {change}, {runs} times")
            stream = Path(scratch) / f"{change}.jsonl"
            write_stream(stream, resources=RESOURCES, change=change)
            _probe(stream, stack_file)  # A first run compiles modules and fills the page cache.
            rows.append(
                ReviewRow(
                    change=change,
                    stream_mb=stream.stat().st_size / BYTES_PER_MB,
                    runs=tuple(_probe(stream, stack_file) for _ in range(runs)),
                )
            )
    return ReviewResult(resources=RESOURCES, rows=tuple(rows))


def _probe(stream: Path, stack_file: Path) -> ReviewRun:
    command = [sys.executable, "-m", "bench.review_probe", str(stream), str(stack_file)]
    done = subprocess.run(command, cwd=PROJECT_DIR, stdout=subprocess.PIPE, check=True)
    return ReviewRun.model_validate_json(done.stdout)
