"""Workers that sleep, and whose number somebody else decides as well."""

from typing import Any

from tests.daskfleet.planning.documents import Refusal, minimal


def sleeper(**settings: Any) -> dict[str, Any]:
    """A team whose workers sleep."""
    return minimal(teams=[{"name": "alpha", "workers": 1, **settings}])


ADAPTIVE: dict[str, Any] = {"name": "alpha", "adaptive": {"minimum": 0, "maximum": 1}}


REFUSALS: dict[str, Refusal] = {
    "groups of a team that sleeps when idle": (
        sleeper(idle={"workers_after_min": 30}, groups=[{"name": "memory", "workers": 0}]),
        "teams[0].idle",
        "together with groups",
        "one of idle and groups",
        "remove idle, or groups",
    ),
    "groups of a team that sleeps after its hours": (
        sleeper(hours="Mon 07:00-20:00 UTC", groups=[{"name": "memory", "workers": 0}]),
        "teams[0].hours",
        "together with groups",
        "one of hours and groups",
        "remove hours, or groups",
    ),
    "an adaptive team that sleeps": (
        minimal(teams=[{**ADAPTIVE, "idle": {"workers_after_min": 30}}]),
        "teams[0].adaptive",
        "0 to 1",
        "adaptive without idle and hours",
        "set adaptive.minimum to 0",
    ),
    "hours that nobody can read": (
        sleeper(hours="Mo-Fr 7-20"),
        "teams[0].hours",
        "Mo-Fr 7-20",
        "Europe/Amsterdam",
        "IANA",
    ),
}
