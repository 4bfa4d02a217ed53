"""From what the engine wrote to a preview, whatever form it has and wherever it ends."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from daskfleet.platform.review import digest, events
from daskfleet.platform.review.account import Account
from daskfleet.platform.review.engine_step import EngineStep
from daskfleet.platform.review.events import (
    Diagnostic,
    Event,
    Failed,
    RunStarted,
    RunSummary,
    title_of,
)
from daskfleet.platform.review.model import PolicyFinding, Preview
from daskfleet.platform.review.steps import STACK_TYPE, StepTable

EMPTY = (
    "The engine wrote nothing: the preview did not begin, or its output is in another file. Run "
    "it again, and give --events the file that it writes."
)
CUT_OFF = (
    "The engine's stream ends before its summary: the preview was cut off. What it would do is "
    "not known; run it again."
)
DAMAGED = "A line of the engine's stream cannot be read, so steps may be missing: run it again."
CANCELLED = "The preview was cancelled before it had looked at everything: run it again."

CANCELLATIONS = ("preview canceled", "update canceled")

GENERIC = (
    "an unhandled error occurred: program exited with non-zero exit code",
    "preview failed",
    "update failed",
)
"""Beginnings of errors that only say that there was another one."""

_UNREADABLE = (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError)
"""What reading an event of another form ends in, and one that is nested without end."""


def read_preview(lines: Iterable[str]) -> Preview:
    """Read an event stream or a digest; text before it, and around its lines, is passed over.

    Never raises for what the lines say: what cannot be read yields an ``incomplete`` preview.
    """
    reading = _Reading()
    for each in _documents(lines):
        if each is None:
            reading.is_damaged = reading.is_damaged or reading.end is None
            continue
        try:
            for event in _events(each):
                if isinstance(event, RunStarted):
                    reading = _Reading(is_damaged=reading.is_damaged)
                else:
                    reading.take(event)
        except _UNREADABLE:
            reading.is_damaged = True
    return reading.preview()


def _documents(lines: Iterable[str]) -> Iterator[Mapping[str, Any] | None]:
    """The JSON objects in the lines, each in one or, for the first, over several; None: damaged."""
    rest = iter(lines)
    for line in rest:
        text = line.lstrip("\ufeff")
        if not text.startswith("{") or events.is_repetition(text):
            continue
        try:
            yield events.parse_line(text)
        except (ValueError, RecursionError):
            if text.strip() == "{":
                yield _over_several_lines(text, rest)
                return
            if text.startswith('{"'):
                yield None


def _over_several_lines(first: str, rest: Iterable[str]) -> Mapping[str, Any] | None:
    try:
        document, _ = json.JSONDecoder().raw_decode("".join([first, *rest]))
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _events(document: Mapping[str, Any]) -> Iterable[Event]:
    if not document.keys().isdisjoint(events.KEYS):
        event = events.event_of(document)
        return () if event is None else (event,)
    return digest.events_of(document) if not document.keys().isdisjoint(digest.KEYS) else ()


@dataclass(kw_only=True)
class _Reading:
    """What was read so far."""

    is_damaged: bool = False
    end: RunSummary | None = None
    _project: str = ""
    _stack: str = ""
    _steps: StepTable = field(default_factory=StepTable)
    _account: Account = field(default_factory=Account)
    _policies: dict[PolicyFinding, None] = field(default_factory=dict)
    _said: dict[Diagnostic, None] = field(default_factory=dict)
    _failed: dict[Failed, None] = field(default_factory=dict)
    _cost_before: Mapping[str, float] | None = None

    def take(self, event: Event) -> None:
        """Take in one event of the run."""
        match event:
            case EngineStep():
                self._take_step(event)
            case Diagnostic():
                self._said[event] = None
            case Failed():
                self._failed[event] = None
            case PolicyFinding():
                self._policies[event] = None
            case RunSummary():
                self.end = event

    def _take_step(self, step: EngineStep) -> None:
        if not self._stack:
            self._stack, self._project = step.urn.removeprefix("urn:pulumi:").split("::")[:2]
        if step.type == STACK_TYPE and step.old:
            self._cost_before = _known_cost(step.old.outputs.get("cost"))
        self._steps.take(step)
        self._account.take(step)

    def preview(self) -> Preview:
        """The preview as far as it was told."""
        result = self._result()
        return Preview(
            project=self._project,
            stack=self._stack,
            steps=self._steps.steps(),
            unchanged=self._unchanged(),
            gpu_keepers=tuple(self._steps.gpu_keepers),
            policies=tuple(self._policies),
            errors=self._errors(result),
            warnings=tuple(self._texts("warning")),
            result=result,
            duration_s=self.end.duration_s if self.end else None,
            cost_before=self._cost_before,
        )

    def _unchanged(self) -> int:
        if self.end is not None and not self.end.tells_unchanged:
            return self.end.changes.get("same", 0)
        return self._steps.unchanged

    def _result(self) -> Literal["succeeded", "failed", "incomplete"]:
        errors = list(self._texts("error"))
        if self._is_cancelled(errors):
            return "incomplete"
        if self.end is not None and self.end.result == "failed":
            return "failed"
        if self.end is None or self.is_damaged:
            return "incomplete"
        if self.end.result is None and (errors or self._failed):
            return "failed"
        return "incomplete" if self._account.missing(self.end) else "succeeded"

    def _is_cancelled(self, errors: Sequence[str]) -> bool:
        if self.end is None:
            return False
        # Engine 3.256 calls a preview after Ctrl-C failed, with this as its only error.
        return self.end.result == "canceled" or (bool(errors) and set(errors) <= set(CANCELLATIONS))

    def _errors(self, result: str) -> tuple[str, ...]:
        said = list(self._texts("error"))
        found = [text for text in said if not text.endswith(CANCELLATIONS)]
        if specific := [text for text in found if not text.startswith(GENERIC)]:
            found = specific
        elif result == "failed":
            found = [*self._refusals(), *self._traceback()] or found
        told = {each.urn for each in self._said if each.severity == "error"}
        found += [
            f"{title_of(each.urn)}: {each.operation} failed"
            for each in self._failed
            if each.urn not in told
        ]
        if result == "incomplete":
            found.append(self._why_incomplete())
        return tuple(dict.fromkeys(found))

    def _why_incomplete(self) -> str:
        if self._is_cancelled(list(self._texts("error"))):
            return CANCELLED
        if self.is_damaged:
            return DAMAGED
        if self.end is not None:
            return self._account.missing(self.end)
        is_empty = not (self._stack or self._said)
        return EMPTY if is_empty else CUT_OFF

    def _refusals(self) -> Iterator[str]:
        """Mandatory policies, which the engine's error does not name."""
        names = dict.fromkeys(
            f"{each.pack}/{each.policy}" for each in self._policies if each.level == "mandatory"
        )
        if names:
            yield f"Mandatory policies refuse this: {', '.join(names)}."

    def _traceback(self) -> Iterator[str]:
        """What the program printed as it ended, in which each line is an event of its own."""
        lines = list(self._texts("info#err"))
        # The language host interrupts a program whose run has failed elsewhere.
        if lines and "KeyboardInterrupt" not in lines:
            yield "\n".join(lines)

    def _texts(self, severity: str) -> Iterator[str]:
        for each in self._said:
            if each.severity == severity:
                title = title_of(each.urn)
                yield f"{title}: {each.text}" if title else each.text


def _known_cost(output: Any) -> Mapping[str, float] | None:
    if not isinstance(output, Mapping) or output.get("unpriced"):
        return None
    return {
        key: float(value)
        for key, value in output.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
