"""Running the real Pulumi engine, with its event stream on a progress line."""

import contextlib
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from daskfleet.files import OWNER_ONLY_UMASK, empty_private_file, write_private_file
from rehearsal.engine.events import Diagnostic, Event, ResourceEvent, Summary, parse_event
from rehearsal.engine.interrupts import AT_ONCE, Interrupts
from rehearsal.engine.view import EngineView
from rehearsal.errors import RehearsalError
from rehearsal.process import ProcessRecord
from rehearsal.progress import Step
from rehearsal.timeline.step_times import StepTimes
from rehearsal.workspace import Workspace

LOOK_EVERY_S = 0.5
"""How often the watch looks, and the elapsed time moves, when the engine says nothing."""

PATIENCE_S = 10.0
"""How long an engine may finish what is in flight on a stage that is broken: it waits in vain."""


class InterruptedByUserError(RehearsalError):
    """Ctrl-C was pressed while the engine worked, and the engine has ended."""


class EngineFailedError(RehearsalError):
    """The engine ended with an error; its diagnostics have been shown."""


@dataclass(kw_only=True)
class Outcome:
    """What an engine run came to."""

    changes: Mapping[str, int] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    worked_on: int = 0
    """Number of resources, not counting components, that something was done to."""
    times: StepTimes = field(default_factory=StepTimes)

    @property
    def changed(self) -> int:
        """Number of resources that did not stay as they were."""
        return sum(count for operation, count in self.changes.items() if operation != "same")

    def take(self, event: Event, *, at_s: float) -> None:
        """Keep what the run's result depends on; ``at_s`` is when it came, since the start."""
        if isinstance(event, Summary):
            self.changes = event.changes
        elif isinstance(event, Diagnostic) and event.severity == "error":
            self.errors.append(event.message)
        elif isinstance(event, ResourceEvent) and event.is_work:
            self._take_step(event, at_s=at_s)

    def _take_step(self, step: ResourceEvent, *, at_s: float) -> None:
        if step.moment == "began":
            self.times.began(step.urn, at_s=at_s)
        elif step.moment == "ended":
            self.worked_on += 1
            self.times.ended(step.urn, name=step.name, operation=step.operation, at_s=at_s)


class Engine:
    """The pulumi binary, in the environment and on the stack of one rehearsal."""

    def __init__(
        self, workspace: Workspace, *, pulumi: Path, environment: Mapping[str, str]
    ) -> None:
        self._workspace = workspace
        self._pulumi = pulumi
        self._environment = dict(environment)
        self._said: set[str] = set()

    @property
    def environment(self) -> Mapping[str, str]:
        """Where plain ``pulumi`` works on the rehearsal, and other commands do."""
        return self._environment

    def output(self, *arguments: str, cwd: Path | None = None) -> str:
        """Run a short command and return what it prints.

        Raises:
            RehearsalError: the command failed; the message has its own words.

        """
        command = [str(self._pulumi), *arguments, "--non-interactive", "--color=never"]
        done = subprocess.run(
            command,
            cwd=cwd or self._workspace.project_dir,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            umask=OWNER_ONLY_UMASK,
        )
        if done.returncode != 0:
            raise RehearsalError(f"`pulumi {' '.join(arguments)}` failed:\n{done.stderr.strip()}")
        return done.stdout

    def run(
        self,
        *arguments: str,
        step: Step,
        total: int | None = None,
        watch: Callable[[], str | None] = lambda: None,
    ) -> Outcome:
        """Run a command that works on resources and follow it.

        Ctrl-C reaches the engine once as SIGINT: it finishes what is in flight and ends. A second
        Ctrl-C makes it stop at once. ``watch`` is asked regularly for a reason to stop.

        Raises:
            EngineFailedError: the engine ended with an error.
            InterruptedByUserError: the engine ended because of Ctrl-C.
            RehearsalError: the engine ended because ``watch`` had a reason, which is the message.

        """
        log = self._workspace.logs_dir / f"pulumi-{arguments[0]}"
        events, errors = log.with_suffix(".jsonl"), log.with_suffix(".stderr")
        empty_private_file(events)
        empty_private_file(errors)
        with (
            events.open("w", encoding="utf-8") as event_log,
            errors.open("w+", encoding="utf-8") as stderr,
        ):
            began = time.monotonic()
            process = self._start(arguments, stderr=stderr.fileno())
            with self._recorded(process), Interrupts(process, step) as interrupts:
                view = EngineView(
                    step, total=total, is_preview=arguments[0] == "preview", said=self._said
                )
                outcome, reason = self._follow(
                    process, view, event_log, watch, interrupts, began=began
                )
            stderr.seek(0)
            words = stderr.read().strip()
        if interrupts.count:
            raise InterruptedByUserError("Interrupted. Pulumi has ended and kept its state.")
        if reason:
            raise RehearsalError(reason)
        if process.returncode != 0:
            if not outcome.errors:
                step.say(words, style="red")
            raise EngineFailedError(
                f"`pulumi {arguments[0]}` failed (exit code {process.returncode}); "
                f"its log is {log}.jsonl."
            )
        return outcome

    def _start(self, arguments: tuple[str, ...], *, stderr: int) -> "subprocess.Popen[str]":
        flags = ("--json", "--non-interactive", "--color=never")
        return subprocess.Popen(
            [str(self._pulumi), *arguments, *flags],
            cwd=self._workspace.project_dir,
            # Otherwise --json is one document at the end.
            env={**self._environment, "PULUMI_ENABLE_STREAMING_JSON_PREVIEW": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            # A group of its own: the terminal's Ctrl-C would reach it a second time.
            process_group=0,
            umask=OWNER_ONLY_UMASK,
        )

    @contextlib.contextmanager
    def _recorded(self, process: "subprocess.Popen[str]") -> Iterator[None]:
        """Keep on disk which engine runs, for `down` in another terminal."""
        file = self._workspace.engine_file
        write_private_file(file, ProcessRecord.of(process.pid).model_dump_json())
        try:
            yield
        finally:
            file.unlink(missing_ok=True)

    @staticmethod
    def _follow(
        process: "subprocess.Popen[str]",
        view: EngineView,
        event_log: TextIO,
        watch: Callable[[], str | None],
        interrupts: Interrupts,
        *,
        began: float,
    ) -> tuple[Outcome, str | None]:
        outcome, reason, stopped_at = Outcome(), None, 0.0
        lines = _lines_of(process)
        while True:
            try:
                came = lines.get(timeout=LOOK_EVERY_S)
            except queue.Empty:
                view.tick()
                if reason is None and (reason := watch()):
                    interrupts.send()
                    stopped_at = time.monotonic()
                elif reason and time.monotonic() - stopped_at > PATIENCE_S:
                    interrupts.send_at_once()
                continue
            if came is None:
                process.wait()
                return outcome, reason
            line, at = came
            event_log.write(line)
            event = parse_event(line)
            # What the program says as it is torn down is a traceback of no interest.
            if event is not None and reason is None and interrupts.sent < AT_ONCE:
                view.follow(event)
                outcome.take(event, at_s=at - began)


def _lines_of(process: "subprocess.Popen[str]") -> "queue.Queue[tuple[str, float] | None]":
    """Return a queue of the process's output lines, each with when it came, closed by None."""
    lines: queue.Queue[tuple[str, float] | None] = queue.Queue()

    def read() -> None:
        for line in process.stdout or ():
            lines.put((line, time.monotonic()))
        lines.put(None)

    threading.Thread(target=read, name="engine-output", daemon=True).start()
    return lines
