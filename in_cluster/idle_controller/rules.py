"""Pure: whose workers sleep when, and whose processes are recycled, as the program tells it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .opening_hours import OpeningHours, Window


@dataclass(frozen=True, kw_only=True)
class Recycling:
    """When processes of a team's Dask cluster end, to begin anew; one of the two is given."""

    after_s: float | None
    """Age of a process, in seconds."""

    above_memory_percent: float | None
    """Of its pod's memory limit; what a worker holds for others is not counted."""

    hours: OpeningHours | None
    """Hours in which it may be done while others work; None: only while nothing runs at all."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One team's."""

    namespace: str
    sleep_after_s: float | None
    """Seconds without work after which its workers go, also in its hours; None: they stay."""

    hours: OpeningHours | None
    """None: at any time alike."""

    recycling: Recycling | None = None
    """None: its processes live as long as they can."""


def written(rules: Iterable[Rule]) -> str:
    """Return the rules as a document that ``read`` understands."""
    return json.dumps([_document(rule) for rule in rules], sort_keys=True)


def read(text: str) -> tuple[Rule, ...]:
    """Return the rules of a document."""
    return tuple(_rule(document) for document in json.loads(text))


def _document(rule: Rule) -> dict[str, Any]:
    recycling = rule.recycling
    return {
        "namespace": rule.namespace,
        "sleep_after_s": rule.sleep_after_s,
        "hours": _hours_document(rule.hours),
        "recycling": recycling
        and {
            "after_s": recycling.after_s,
            "above_memory_percent": recycling.above_memory_percent,
            "hours": _hours_document(recycling.hours),
        },
    }


def _hours_document(hours: OpeningHours | None) -> dict[str, Any] | None:
    if hours is None:
        return None
    return {
        "zone": hours.zone,
        "windows": [[each.day, each.start_min, each.end_min] for each in hours.windows],
    }


def _rule(document: dict[str, Any]) -> Rule:
    recycling = document["recycling"]
    return Rule(
        namespace=document["namespace"],
        sleep_after_s=document["sleep_after_s"],
        hours=_hours(document["hours"]),
        recycling=recycling
        and Recycling(
            after_s=recycling["after_s"],
            above_memory_percent=recycling["above_memory_percent"],
            hours=_hours(recycling["hours"]),
        ),
    )


def _hours(document: dict[str, Any] | None) -> OpeningHours | None:
    if document is None:
        return None
    return OpeningHours(
        zone=document["zone"], windows=tuple(Window(*window) for window in document["windows"])
    )
