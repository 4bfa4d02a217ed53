"""Unit: what a team's list of buckets declares."""

from copy import deepcopy
from typing import Any

import pytest

from tests.recorded_program import Recording, record
from tests.setting_changes import BASE

MEMBER = "gcp:storage/bucketIAMMember:BucketIAMMember"
POOL = "projects/123456789012/locations/global/workloadIdentityPools/example-project.svc.id.goog"


def recorded(monkeypatch: pytest.MonkeyPatch, **of_beta: Any) -> Recording:
    settings = deepcopy(BASE)
    settings["teams"][1] |= of_beta
    return record(settings, monkeypatch)


def grants(recording: Recording) -> dict[str, tuple[str, str, str]]:
    return {
        each.name: (each.inputs["bucket"], each.inputs["role"], each.inputs["member"])
        for each in recording.of_type(MEMBER)
    }


def principal(team: str) -> str:
    return f"principal://iam.googleapis.com/{POOL}/subject/ns/{team}/sa/dask"


def test_each_bucket_is_granted_to_the_teams_own_pods_with_what_was_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert grants(recorded(monkeypatch)) == {
        "alpha-bucket-alpha-data": (
            "alpha-data",
            "roles/storage.objectUser",
            principal("alpha"),
        ),
        "alpha-bucket-shared": ("shared", "roles/storage.objectViewer", principal("alpha")),
    }


def test_two_teams_may_list_one_bucket_each_as_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = grants(recorded(monkeypatch, buckets=[{"name": "shared", "access": "write"}]))

    assert shared["beta-bucket-shared"] == (
        "shared",
        "roles/storage.objectUser",
        principal("beta"),
    )
    assert shared["alpha-bucket-shared"][2] == principal("alpha")


def test_a_retired_team_reaches_no_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = deepcopy(BASE)
    settings["teams"][0]["retire"] = True

    assert grants(record(settings, monkeypatch)) == {}


def test_a_grant_waits_for_the_cluster_that_makes_the_identity_pool(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for grant in recorded(monkeypatch).of_type(MEMBER):
        assert any("alpha-namespace" in urn for urn in grant.dependencies), grant.name
