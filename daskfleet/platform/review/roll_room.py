"""Pure: a saved plan that leaves open what only an `up` can know of a blue-green roll.

A team's quotas hold the new cluster and the one that serves, which an `up` sees and a preview does
not. Where workers become fewer that is more than the preview's number, and `up --plan` would refuse
it: "violates plan: properties changed".
"""

import json
from typing import Any

from daskfleet.planning.changes.team_words import DASK_CLUSTER

UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""How the engine writes a value that it does not know yet, and that a plan therefore leaves open
(pulumi/pulumi sdk/go/common/resource/plugin/rpc.go, ``UnknownStringValue``)."""

QUOTA = "kubernetes:core/v1:ResourceQuota"


def with_room_for_rolls(plan: str) -> str:
    """Leave the quotas open that are changed of teams whose cluster gets another one beside it.

    A plan without a roll stays as the engine wrote it.
    """
    document: dict[str, Any] = json.loads(plan)
    planned = list((document.get("resourcePlans") or {}).values())
    rolling = {
        _owner(each) for each in planned if _is(DASK_CLUSTER, each) and each["steps"] == ["create"]
    }
    opened = [
        hard
        for each in planned
        if _is(QUOTA, each) and _owner(each) in rolling
        if (hard := _changed_limits(each["goal"]))
    ]
    for hard in opened:
        hard.update(dict.fromkeys(hard, UNKNOWN))
    return json.dumps(document, indent=4) if opened else plan


def _changed_limits(goal: dict[str, Any]) -> dict[str, str]:
    updates: dict[str, Any] = (goal.get("inputDiff") or {}).get("updates") or {}
    limits: dict[str, str] = updates.get("spec", {}).get("hard", {})
    return limits


def _is(kind: str, planned: dict[str, Any]) -> bool:
    """Whether it stays or comes; what goes has no goal."""
    return (planned.get("goal") or {}).get("type") == kind


def _owner(planned: dict[str, Any]) -> str:
    """The team, whose name its components have."""
    return str(planned["goal"].get("parent", "")).rpartition("::")[2]
