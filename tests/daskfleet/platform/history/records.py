"""Records of Pulumi's history, as `pulumi stack history --json` prints them."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from daskfleet.platform.history.model import History
from daskfleet.platform.history.pulumi_records import PulumiRecord
from daskfleet.platform.history.seen import Seen
from daskfleet.platform.history.updates import history_of

IMAGE, OTHER = (
    f"nvcr.io/nvidia/rapidsai/base:{release}-cuda12-py3.13" for release in ("26.10", "26.08")
)
MONDAY = datetime(2026, 11, 16, 9, 0, tzinfo=UTC)
SINCE, UNTIL = MONDAY - timedelta(days=1), MONDAY + timedelta(days=6)


def at(minutes: float) -> datetime:
    """So long after the first update."""
    return MONDAY + timedelta(minutes=minutes)


def team(name: str, **settings: Any) -> dict[str, Any]:
    return {"name": name, "image": IMAGE, "workers": 2, **settings}


def record(
    minutes: float,
    *teams: dict[str, Any],
    kind: str = "update",
    result: str = "succeeded",
    took_s: int = 120,
    settings: dict[str, Any] | None = None,
    environment: dict[str, str] | None = None,
) -> PulumiRecord:
    """One update with these teams."""
    config = {"project": "example-project", "teams": list(teams), **(settings or {})}
    return PulumiRecord.model_validate(
        {
            "kind": kind,
            "startTime": at(minutes).isoformat(),
            "endTime": (at(minutes) + timedelta(seconds=took_s)).isoformat(),
            "result": result,
            "message": "Another image\n\nfor fraud",
            "environment": environment or {},
            "config": {
                f"daskfleet:{key}": {
                    "value": value if isinstance(value, str) else json.dumps(value),
                    "secret": False,
                }
                for key, value in config.items()
            },
            "resourceChanges": {"same": 60, "update": 2, "delete": 0},
        }
    )


def history(*records: PulumiRecord, seen: Seen | None = None, is_all: bool = True) -> History:
    """The history of records that are given oldest first."""
    return history_of(
        "prod",
        tuple(reversed(records)),
        is_all=is_all,
        since=SINCE,
        read_at=UNTIL,
        seen=seen,
        unread="" if seen else "The cluster was not asked: no login.",
    )
