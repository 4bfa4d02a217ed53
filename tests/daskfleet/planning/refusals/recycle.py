"""Processes that would begin anew never, or at no time that can be read."""

from typing import Any

from tests.daskfleet.planning.documents import Refusal, minimal


def recycler(**settings: Any) -> dict[str, Any]:
    """A team whose processes begin anew."""
    return minimal(teams=[{"name": "alpha", "workers": 1, "recycle": settings}])


REFUSALS: dict[str, Refusal] = {
    "neither an age nor a size": (
        recycler(when="idle"),
        "teams[0].recycle.after_h",
        "not given",
        "after_h, above_memory_percent, or both",
        "set after_h, such as 168 for a week",
    ),
    "an age of no time": (
        recycler(after_h=0),
        "teams[0].recycle.after_h",
        "0",
        "greater than 0",
        "",
    ),
    "a share of memory that is all of it": (
        recycler(above_memory_percent=100),
        "teams[0].recycle.above_memory_percent",
        "100",
        "less than 100",
        "",
    ),
    "a time that nobody can read": (
        recycler(after_h=168, when="sometimes"),
        "teams[0].recycle.when",
        "sometimes",
        "idle, or days, times and a time zone",
        "write idle",
    ),
}
