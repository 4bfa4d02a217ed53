"""Unit: maintenance times as Google's API spells them."""

from datetime import UTC, datetime, timedelta, timezone

from components.gke_cluster import maintenance_policy, rfc3339
from daskfleet.settings.cluster import Cluster


def test_times_are_spelt_as_the_api_answers_them() -> None:
    assert rfc3339(datetime(2026, 1, 3, 2, 0, tzinfo=UTC)) == "2026-01-03T02:00:00Z"
    east = timezone(timedelta(hours=2))
    assert rfc3339(datetime(2026, 1, 3, 2, 0, tzinfo=east)) == "2026-01-03T00:00:00Z"


def test_a_cluster_without_wishes_leaves_the_times_to_google() -> None:
    assert maintenance_policy(Cluster()) is None
