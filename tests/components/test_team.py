"""Unit: the rules of a team's namespace."""

from typing import Any

import pytest

from components.team import namespace_labels
from daskfleet.planning.plan import PodResources
from tests.recorded_program import record
from tests.setting_changes import IMAGE


def test_pods_that_run_as_root_are_refused_whatever_the_billing_labels_say() -> None:
    labels = namespace_labels({"cost-center": "cc-1"})

    assert labels["pod-security.kubernetes.io/enforce"] == "restricted"
    assert labels["cost-center"] == "cc-1"


def declared(monkeypatch: pytest.MonkeyPatch, **team: Any) -> set[str]:
    document = {
        "project": "example-project",
        "image": IMAGE,
        "teams": [{"name": "alpha", **team}],
    }
    registrations = record(document, monkeypatch).registrations
    return {each.name for each in registrations if each.is_custom}


def test_a_team_without_members_and_quota_has_what_it_always_had(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with_both = declared(monkeypatch, members=["user:alice@example.com"], quota={})

    assert with_both - declared(monkeypatch) == {
        "alpha-member-role",
        "alpha-members",
        "alpha-team-quota",
    }


@pytest.mark.parametrize(("rollout", "gpus"), [("blue-green", "6"), ("recreate", "2")])
def test_in_a_roll_the_quota_holds_what_serves_beside_what_comes(
    rollout: str, gpus: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = {
        "project": "example-project",
        "image": IMAGE,
        "scheduler_pool": {"node_count": 2},
        "teams": [{"name": "alpha", "workers": 1, "rollout": rollout}],
    }
    large = (PodResources(cpu=1, memory_gib=4, gpus=1),) * 4

    recording = record(document, monkeypatch, serving=large)

    (quota,) = recording.of_type("kubernetes:core/v1:ResourceQuota")
    assert quota.inputs["spec"]["hard"] == {"requests.nvidia.com/gpu": gpus}


def test_the_operator_may_work_in_a_teams_namespace_also_when_the_team_is_retired(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document = {
        "project": "example-project",
        "image": IMAGE,
        "teams": [{"name": "alpha"}, {"name": "beta", "retire": True}],
    }
    bindings = record(document, monkeypatch).of_type(
        "kubernetes:rbac.authorization.k8s.io/v1:RoleBinding"
    )

    assert {each.inputs["metadata"]["namespace"] for each in bindings} == {"alpha", "beta"}
    for each in bindings:
        assert each.inputs["roleRef"]["name"] == "dask-operator-team"
        (operator,) = each.inputs["subjects"]
        assert operator["namespace"] == "dask-operator"
