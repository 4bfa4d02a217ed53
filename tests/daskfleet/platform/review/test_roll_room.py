"""Unit: which numbers of a saved plan are left to the `up`.

tests/rehearsal/end_to_end/test_rollouts.py lets the engine judge such a plan.
"""

import json
from typing import Any

from daskfleet.planning.changes.team_words import DASK_CLUSTER
from daskfleet.platform.review.roll_room import QUOTA, UNKNOWN, with_room_for_rolls

BEFORE = "urn:pulumi:prod::daskfleet::daskfleet:dask:"


def planned(kind: str, *steps: str, of: str = "Team::climate", **goal: Any) -> dict[str, Any]:
    return {"goal": {"type": kind, "parent": f"{BEFORE}{of}", **goal}, "steps": [*steps]}


def quota(*steps: str, of: str = "climate", **hard: str) -> dict[str, Any]:
    difference = {"updates": {"spec": {"hard": hard}}} if hard else {}
    return planned(QUOTA, *steps, of=f"Team::{of}", inputDiff=difference)


def hards(*resources: dict[str, Any]) -> list[dict[str, str]]:
    """What is planned of the quotas, once the plan has been finished."""
    plan = {"resourcePlans": {str(at): each for at, each in enumerate(resources)}}
    document = json.loads(with_room_for_rolls(json.dumps(plan)))
    goals = [each["goal"] for each in document["resourcePlans"].values() if "goal" in each]
    differences = [goal["inputDiff"] for goal in goals if goal["type"] == QUOTA]
    return [each["updates"]["spec"]["hard"] for each in differences if each]


ROLL = planned(DASK_CLUSTER, "create", of="DaskCluster::climate")
GONE = {"steps": ["delete"]}


def test_a_roll_leaves_each_changed_number_of_its_team_open() -> None:
    many = {"requests.cpu": "9", "pods": "5"}

    assert hards(ROLL, GONE, quota("update", gpus="4"), quota("update", **many)) == [
        {"gpus": UNKNOWN},
        {"requests.cpu": UNKNOWN, "pods": UNKNOWN},
    ]


def test_other_teams_and_other_changes_are_held_to_what_was_reviewed() -> None:
    replaced = ("create-replacement", "replace", "delete-replaced")
    in_place = [
        planned(DASK_CLUSTER, step, of="DaskCluster::climate") for step in ("update", "same")
    ]

    assert hards(ROLL, quota("update", of="genomics", gpus="4")) == [{"gpus": "4"}]
    assert hards(*in_place, quota("update", gpus="4")) == [{"gpus": "4"}]
    assert hards(planned(DASK_CLUSTER, *replaced), quota("update", gpus="4")) == [{"gpus": "4"}]
    assert hards(ROLL, quota("same")) == []


def test_a_plan_without_a_roll_stays_as_it_was() -> None:
    for plan in ('{"resourcePlans": null}', "{}\n"):
        assert with_room_for_rolls(plan) == plan
