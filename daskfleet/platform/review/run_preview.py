"""Running ``pulumi preview`` for its event stream, which goes through a private file.

The stream on standard output would come without what the engine prints for people, which is all
there is when a preview fails before its first event. ``--event-log`` needs PULUMI_DEBUG_COMMANDS
(pulumi/pulumi pkg/cmd/pulumi/operations/preview.go).
"""

import contextlib
import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from daskfleet.access.errors import AccessError
from daskfleet.access.interrupts import ended_like_ctrl_c
from daskfleet.access.processes import Process
from daskfleet.access.pulumi_cli import Pulumi, PulumiFailedError
from daskfleet.access.pulumi_state import export_state
from daskfleet.files import empty_private_file, write_private_file
from daskfleet.platform.review.errors import ReviewError
from daskfleet.platform.review.last_words import told_in_words
from daskfleet.platform.review.model import Preview
from daskfleet.platform.review.plan_binding import Binding, binding_to, bound
from daskfleet.platform.review.policy_packs import PolicyPack, flags
from daskfleet.platform.review.presentable import message
from daskfleet.platform.review.progress import Progress
from daskfleet.platform.review.read import read_preview
from daskfleet.platform.review.roll_room import with_room_for_rolls

LOOK_EVERY_S = 0.2

_STEP = b'"resourcePreEvent"'


@dataclass(frozen=True, kw_only=True)
class PreviewOptions:
    """What `pulumi preview` is told."""

    stack: str
    save_plan: Path | None = None
    """Where the engine writes its plan, for `pulumi up --plan`."""

    save_events: Path | None = None
    """Where its event stream stays; it is not yet redacted."""

    policy_packs: tuple[PolicyPack, ...] = ()


def selected_stack(project_dir: Path) -> str:
    """Return the name of the stack that is selected.

    Raises:
        ReviewError: none is, or there is no `pulumi`.
    """
    said = ""
    try:
        if name := Pulumi(project_dir=project_dir).run("stack", "--show-name").strip():
            return name
    except PulumiFailedError as error:
        said = message(error.said)
    except AccessError as error:
        raise ReviewError(str(error)) from error
    raise ReviewError(
        f"No stack is selected: name one with --stack, or run `pulumi stack select`.\n{said}"
    )


def run_preview(project_dir: Path, options: PreviewOptions, *, progress: Progress) -> Preview:
    """Run a preview and read what it said; one that fails is a preview too.

    Raises:
        ReviewError: there is no `pulumi`, or no file where the events are to stay.
        KeyboardInterrupt: Ctrl-C was pressed or SIGTERM came, and the engine has ended.
    """
    with ended_like_ctrl_c(), tempfile.TemporaryDirectory(prefix="daskfleet-review-") as scratch:
        words, no_config = Path(scratch) / "words.txt", Path(scratch) / "no-config.json"
        no_config.write_text("{}", encoding="utf-8")
        # The engine writes where they stay: what a killed job has told by then is kept, too.
        events = options.save_events or Path(scratch) / "events.jsonl"
        kept = (("--save-events", events), ("--save-plan", options.save_plan))
        for option, file in kept:
            if file is not None:
                _made_private(option, file)
        environment = {**os.environ, "PULUMI_DEBUG_COMMANDS": "1"}
        pulumi = Pulumi(project_dir=project_dir, stack=options.stack, environment=environment)
        state = _state_of_now(project_dir, options)
        arguments = _arguments(options, events, no_config=no_config)
        try:
            with (
                words.open("wb") as said,
                pulumi.started(
                    *arguments, stdout=said.fileno(), stderr=subprocess.STDOUT
                ) as process,
            ):
                _watch(process, events, progress)
        except AccessError as error:
            raise ReviewError(str(error)) from error
        if options.save_plan is not None:
            _finish_plan(options.save_plan, state)
        with events.open(encoding="utf-8", errors="replace") as lines:
            preview = read_preview(lines)
        return _completed(preview, words, process.returncode)


def _made_private(option: str, file: Path) -> None:
    """Leave an empty file of this user alone, which the engine writes into as it is."""
    try:
        empty_private_file(file)
    except OSError as error:
        raise ReviewError(f"{option} {file}: {error.strerror}.") from error


def _state_of_now(project_dir: Path, options: PreviewOptions) -> Binding | str:
    """What a plan is bound to, or why that is not known.

    Read before the preview reads it: whatever moves in between makes the plan useless, and not a
    plan of something else.
    """
    if options.save_plan is None:
        return ""
    try:
        return binding_to(export_state(project_dir, options.stack))
    except AccessError as error:
        return str(error)


def _finish_plan(file: Path, state: Binding | str) -> None:
    plan = file.read_text(encoding="utf-8")
    if not plan:
        file.unlink()  # of a preview that failed there is none
    elif isinstance(state, str):
        file.unlink()
        raise ReviewError(f"No plan is kept, since the state could not be read: {state}")
    else:
        write_private_file(file, bound(with_room_for_rolls(plan), state))


def _arguments(options: PreviewOptions, events: Path, *, no_config: Path) -> list[str]:
    return [
        "preview",
        f"--event-log={events}",
        "--suppress-outputs",
        *flags(options.policy_packs, no_config=no_config),
        *([f"--save-plan={options.save_plan}"] if options.save_plan else []),
    ]


def _watch(process: Process, events: Path, progress: Progress) -> None:
    """Follow the stream until the engine ends."""
    begun, steps = time.monotonic(), 0
    with events.open("rb") as stream:
        while process.poll() is None:
            steps += sum(_STEP in line for line in stream)
            progress(steps, time.monotonic() - begun)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(LOOK_EVERY_S)


def _completed(preview: Preview, words: Path, code: int) -> Preview:
    """What ends before the engine's summary, as a pack that does not start, is told in words."""
    is_told = preview.result == "failed" and preview.errors
    if code == 0 or is_told:
        return preview
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return told_in_words(
        preview,
        words.read_text("utf-8", errors="replace"),
        otherwise=f"`pulumi preview` ended with {how}.",
    )
