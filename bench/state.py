"""What Pulumi asks of the bucket that keeps its state, for fleets of so many teams.

The number of requests is exact. Bytes are not: three runs with the same 651 requests sent 20.6,
20.7 and 20.9 MB. Nor are seconds: each request waits as long as is asked for, and the machine's
own work comes on top.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from bench.distant import Asked, Distance, at_a_distance
from bench.process_tree import Usage, measure
from bench.record import Figures
from bench.stack_of_teams import write_stack_file
from bench.stage import staged
from rehearsal.engine.engine import Engine
from rehearsal.engine.stack_init import make_stack
from rehearsal.progress import Steps
from rehearsal.providers.install import Choice
from rehearsal.stage.stage import Stage
from rehearsal.workspace import pulumi_environment
from tests.state_bucket import StateBucket, free_address, state_bucket

QUIET = ("--non-interactive", "--color=never")
CHECKPOINTS = ".pulumi/stacks/"

ENGINE_SETTINGS: Mapping[str, Mapping[str, str]] = {
    "as it is": {},
    "gzip": {"PULUMI_DIY_BACKEND_GZIP": "true"},
    "zstd": {"PULUMI_DIY_BACKEND_ZSTD": "true"},
    "no backups": {"PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS": "true"},
    "no checkpoints": {"PULUMI_EXPERIMENTAL": "true", "PULUMI_SKIP_CHECKPOINTS": "true"},
}
"""What the engine lets one choose (pulumi/pulumi sdk/go/common/env/env.go, 3.256.0)."""


class StatePhase(Figures):
    """One command, and what it asked of the bucket."""

    name: str
    usage: Usage
    requests: dict[str, int]
    refused: int
    """Of these, writes that came too soon after another of the same object."""
    saves: int
    """How often the state was written; always to the same object."""
    sent_bytes: int
    received_bytes: int


class StateRow(Figures):
    """One fleet with one way to keep its state."""

    teams: int
    latency_ms: int
    writes_per_s: float | None
    """How often one object may be written; what comes sooner is refused. None: no limit."""
    engine: str
    """A key of ``ENGINE_SETTINGS``."""
    state_bytes: int
    """Of the object that holds the state, at the end."""
    phases: tuple[StatePhase, ...]


class StateResult(Figures):
    """What ``python -m bench state`` measures."""

    rows: tuple[StateRow, ...]


def measure_state(
    *,
    teams: Sequence[int],
    latencies_ms: Sequence[int],
    writes_per_s: float | None,
    engines: Sequence[str],
    preview_only: bool,
    providers: Choice,
    steps: Steps,
    progress: Callable[[str], None],
) -> Iterator[StateResult]:
    """Bring each fleet up with its state in a bucket that is so far away, in each of these ways.

    Gives what is known after each of them: one that fails, or is given up, loses no other.

    Raises:
        CommandFailedError: a command failed; the message has its last words.
        RehearsalError, ToolchainError: the stage cannot be set.

    """
    rows: list[StateRow] = []
    for count in teams:
        for latency_ms in latencies_ms:
            for engine in engines:
                progress(f"{count} teams, {latency_ms} ms, {engine}")
                with (
                    staged(
                        partial(write_stack_file, teams=count), providers=providers, steps=steps
                    ) as stage,
                    _distant_bucket(
                        latency_s=latency_ms / 1000,
                        write_every_s=1 / writes_per_s if writes_per_s else 0,
                    ) as (distance, bucket),
                ):
                    environment = _environment(stage, bucket, engine)
                    asked = _phases(stage, distance, environment, progress=progress)
                    phases = (next(asked),) if preview_only else tuple(asked)
                    rows.append(
                        StateRow(
                            teams=count,
                            latency_ms=latency_ms,
                            writes_per_s=writes_per_s,
                            engine=engine,
                            state_bytes=_state_bytes(bucket),
                            phases=phases,
                        )
                    )
                yield StateResult(rows=tuple(rows))


@contextmanager
def _distant_bucket(
    *, latency_s: float, write_every_s: float
) -> Iterator[tuple[Distance, StateBucket]]:
    """Give the way there, and the bucket at its end."""
    address = free_address()
    with (
        tempfile.TemporaryDirectory() as scratch,
        at_a_distance(server=address, latency_s=latency_s, write_every_s=write_every_s) as distance,
        state_bucket(
            Path(scratch) / "buckets", address=address, reached_at=distance.address
        ) as bucket,
    ):
        yield distance, bucket


def _phases(
    stage: Stage,
    distance: Distance,
    environment: Mapping[str, str],
    *,
    progress: Callable[[str], None],
) -> Iterator[StatePhase]:
    pulumi = stage.binaries.pulumi
    make_stack(stage.workspace, Engine(stage.workspace, pulumi=pulumi, environment=environment))
    distance.taken()
    for name, command in (
        ("preview", (str(pulumi), "preview", *QUIET)),
        ("up", (str(pulumi), "up", "--yes", "--skip-preview", *QUIET)),
        ("up again", (str(pulumi), "up", "--yes", "--skip-preview", *QUIET)),
        ("status", (sys.executable, "-m", "daskfleet", "status")),
    ):
        progress(f"  {name}")
        usage = measure(command, cwd=stage.workspace.project_dir, environment=environment)
        yield _phase(name, usage, distance.taken())


def _phase(name: str, usage: Usage, asked: Asked) -> StatePhase:
    return StatePhase(
        name=name,
        usage=usage,
        requests=dict(asked.requests),
        refused=asked.refused,
        saves=sum(
            count
            for key, count in asked.writes.items()
            if key.startswith(CHECKPOINTS) and not key.endswith(".bak")
        ),
        sent_bytes=asked.sent_bytes,
        received_bytes=asked.received_bytes,
    )


def _environment(stage: Stage, bucket: StateBucket, engine: str) -> dict[str, str]:
    base_url, binaries = stage.supervisor.base_url, stage.binaries
    rehearsals = pulumi_environment(stage.workspace, base_url=base_url, binaries=binaries)
    return {**rehearsals, **bucket.environment, **ENGINE_SETTINGS[engine]}


def _state_bytes(bucket: StateBucket) -> int:
    (state,) = (
        file
        for file in (bucket.directory / CHECKPOINTS).rglob("*.json*")
        if file.suffix in {".json", ".gz", ".zst"}
    )
    return state.stat().st_size
