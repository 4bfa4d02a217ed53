"""The engine's event stream, one JSON object per line, as what a review needs of it.

pulumi/pulumi sdk/go/common/apitype/events.go. Written by ``--event-log`` and by ``--json`` with
PULUMI_ENABLE_STREAMING_JSON_PREVIEW.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from daskfleet.platform.review.engine_step import EngineStep
from daskfleet.platform.review.markup import without_markup
from daskfleet.platform.review.model import PolicyFinding, PolicyLevel
from daskfleet.platform.review.presentable import message
from daskfleet.platform.review.step_documents import step_of_event

Result = Literal["succeeded", "failed", "canceled"]

_LEVELS: Mapping[str, PolicyLevel] = {
    "mandatory": "mandatory",
    "remediate": "remediate",
    "warning": "advisory",
    "advisory": "advisory",
}
"""Apitype's comment says ``warning``; the engine writes ``advisory``."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RunStarted:
    """A run of the engine begins; what was before is another run."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Diagnostic:
    """The program, a provider or the engine says something that stays."""

    severity: str
    text: str
    urn: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Failed:
    """A step on a resource failed."""

    operation: str
    urn: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RunSummary:
    """The engine's summary."""

    result: Result | None
    """None: an engine before 3.260 or so does not say."""

    duration_s: float | None
    changes: Mapping[str, int]
    """How many resources it counts, by operation."""

    tells_unchanged: bool = True
    """Whether what stays has steps, too; a digest leaves most of them out."""


Event = RunStarted | EngineStep | Diagnostic | Failed | PolicyFinding | RunSummary


_ENDED_STEP = re.compile(
    r'\{"sequence":\d+,"timestamp":\d+,"resOutputsEvent":\{"metadata":\{"op":"(?!refresh")'
)


def is_repetition(line: str) -> bool:
    """Whether a line only repeats, as the step ends, what was told when it began.

    These are the half of a stream, and as long as the other half.
    """
    return _ENDED_STEP.match(line) is not None


def parse_line(line: str) -> Mapping[str, Any]:
    """Read one line.

    Raises:
        ValueError: it is no JSON object.
    """
    document = json.loads(line)
    if not isinstance(document, dict):
        raise ValueError("The line is not a JSON object.")  # noqa: TRY004 - of the text
    return document


def event_of(document: Mapping[str, Any]) -> Event | None:
    """What an event says; None where a review needs nothing of it."""
    kind = next((key for key in document if key in KEYS), "")
    read = _READERS.get(kind)
    body = document.get(kind)
    return read(body) if read and isinstance(body, Mapping) else None


def _refreshed(body: Mapping[str, Any]) -> EngineStep | None:
    """What a refresh before the preview found; else the step has been told when it began."""
    metadata = body["metadata"]
    return step_of_event({**metadata, "op": "refresh"}) if metadata["op"] == "refresh" else None


def _failed(body: Mapping[str, Any]) -> Failed:
    return Failed(operation=str(body["metadata"]["op"]), urn=str(body["metadata"]["urn"]))


def _internal_error(body: Mapping[str, Any]) -> Diagnostic:
    return Diagnostic(severity="error", text=message(str(body.get("error", ""))), urn="")


def _said(body: Mapping[str, Any]) -> Diagnostic | None:
    severity = str(body.get("severity", ""))
    if body.get("ephemeral") or severity not in {"error", "warning", "info#err"}:
        return None
    text = message(str(body.get("message", "")))
    return (
        Diagnostic(severity=severity, text=text, urn=str(body.get("urn") or "")) if text else None
    )


def _violation(body: Mapping[str, Any]) -> PolicyFinding | None:
    level = _LEVELS.get(str(body.get("enforcementLevel", "")))
    if level is None:
        return None
    return PolicyFinding(
        pack=str(body.get("policyPackName", "")),
        policy=str(body.get("policyName", "")),
        level=level,
        message=message(str(body.get("message", ""))),
        resource=title_of(str(body.get("resourceUrn") or "")),
    )


def _correction(body: Mapping[str, Any]) -> PolicyFinding:
    before, after = body.get("before") or {}, body.get("after") or {}
    keys = sorted(k for k in before.keys() | after.keys() if before.get(k) != after.get(k))
    return PolicyFinding(
        pack=str(body.get("policyPackName", "")),
        policy=str(body.get("policyName", "")),
        level="remediate",
        message=f"Corrected {', '.join(keys)}." if keys else "Corrected.",
        resource=title_of(str(body.get("resourceUrn") or "")),
    )


def _summary(body: Mapping[str, Any]) -> RunSummary:
    result = body.get("result")
    seconds = body.get("durationSeconds")
    return RunSummary(
        result=result if result in {"succeeded", "failed", "canceled"} else None,
        duration_s=float(seconds) if isinstance(seconds, int | float) else None,
        changes=counts_in(body.get("resourceChanges")),
    )


def counts_in(changes: Any) -> Mapping[str, int]:
    """Resources by operation, as a summary counts them.

    Raises:
        ValueError: it counts in something else than numbers.
    """
    counts = {} if changes is None else changes
    if not isinstance(counts, Mapping) or any(type(count) is not int for count in counts.values()):
        raise ValueError("The summary's counts of resources are not numbers.")
    return {str(operation): count for operation, count in counts.items() if count}


def title_of(urn: str) -> str:
    """Type without the package, and logical name; empty for the stack as a whole."""
    parts = urn.split("::", 3)
    if len(parts) < 4 or parts[2] == "pulumi:pulumi:Stack":  # noqa: PLR2004 - parts of a URN
        return ""
    return f"{parts[2].rpartition(':')[2]} {without_markup(parts[3])}"


_READERS: Mapping[str, Callable[[Mapping[str, Any]], Event | None]] = {
    "diagnosticEvent": _said,
    "errorEvent": _internal_error,
    "policyEvent": _violation,
    "policyRemediationEvent": _correction,
    "preludeEvent": lambda _: RunStarted(),
    "resOpFailedEvent": _failed,
    "resOutputsEvent": _refreshed,
    "resourcePreEvent": lambda body: step_of_event(body["metadata"]),
    "summaryEvent": _summary,
}

KEYS = frozenset(_READERS) | {
    "cancelEvent",
    "policyAnalyzeStackSummaryEvent",
    "policyAnalyzeSummaryEvent",
    "policyLoadEvent",
    "policyRemediateSummaryEvent",
    "progressEvent",
    "startDebuggingEvent",
    "stdoutEvent",
}
"""A line with one of these is an event."""
