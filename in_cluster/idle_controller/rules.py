"""Pure: which team sleeps when, as the program tells it to the controller."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .opening_hours import OpeningHours, Window


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One team's."""

    namespace: str
    sleep_after_s: float | None
    """Seconds without work after which its workers go, also in its hours; None: they stay."""

    hours: OpeningHours | None
    """None: at any time alike."""


def written(rules: Iterable[Rule]) -> str:
    """Return the rules as a document that ``read`` understands."""
    return json.dumps([_document(rule) for rule in rules], sort_keys=True)


def read(text: str) -> tuple[Rule, ...]:
    """Return the rules of a document."""
    return tuple(_rule(document) for document in json.loads(text))


def _document(rule: Rule) -> dict[str, Any]:
    hours = rule.hours
    return {
        "namespace": rule.namespace,
        "sleep_after_s": rule.sleep_after_s,
        "hours": hours
        and {
            "zone": hours.zone,
            "windows": [[each.day, each.start_min, each.end_min] for each in hours.windows],
        },
    }


def _rule(document: dict[str, Any]) -> Rule:
    hours = document["hours"]
    return Rule(
        namespace=document["namespace"],
        sleep_after_s=document["sleep_after_s"],
        hours=hours
        and OpeningHours(
            zone=hours["zone"], windows=tuple(Window(*window) for window in hours["windows"])
        ),
    )
