"""Unit: from what was read to what is said of the fleet."""

import pytest

from daskfleet.platform.report.running.model import FleetView, Kind, SourceName
from tests.daskfleet.platform.report.running.fleets import (
    NEW,
    NO_GPU,
    OLD,
    TOKEN,
    UNREAD,
    node,
    reading,
    troubled,
    unread,
    view,
)

SECTIONS = {
    "teams": ("teams", "waiting", "losses", "money"),
    "nodes": ("versions", "money"),
    "google": ("upgrades",),
    "prices": ("money",),
    "drift": ("drift",),
    "doctor": (),
    "history": ("history",),
    "operations": ("operations",),
}
"""What is empty where a source could not be read."""

ALL = (
    *("teams", "waiting", "losses", "versions", "certificates", "drift", "upgrades", "money"),
    *("history", "operations"),
)


def problems(seen: FleetView, kind: Kind) -> list[str]:
    return [problem.about for problem in seen.problems if problem.kind is kind]


def test_of_a_fleet_on_which_nothing_is_the_matter_all_is_known_and_no_problem() -> None:
    seen = view()
    assert seen.problems == ()
    assert seen.unread == ()
    assert [section for section in ALL if getattr(seen, section) is None] == []


@pytest.mark.parametrize("source", UNREAD)
def test_a_source_that_cannot_be_read_empties_its_sections_and_no_other(source: str) -> None:
    seen = view(**unread(source))
    empty = [section for section in ALL if getattr(seen, section) is None]
    assert empty == [section for section in ALL if section in SECTIONS[source]]
    (lost,) = seen.unread
    assert lost.why_not == f"{source} is forbidden"


def test_without_any_source_but_the_state_the_declared_pools_are_still_there() -> None:
    seen = view(**unread(*UNREAD))
    assert [pool.name for pool in seen.pools] == ["system-g1", "a100-g1"]
    assert seen.certificates
    assert len(seen.unread) == len(UNREAD)


def test_pods_are_on_their_nodes_and_hold_gpus() -> None:
    workers = {pod.name: pod for pod in view().pods if pod.role == "worker"}
    assert {name: (pod.pool, pod.gpu_shares) for name, pod in workers.items()} == {
        "climate-w": ("a100-g1", 1),
        "fraud-w": ("a100-g1", 1),
    }


def test_each_trouble_is_a_problem_with_its_owner() -> None:
    seen = troubled()
    assert problems(seen, Kind.TEAM) == ["team fraud is not ready"]
    assert problems(seen, Kind.NODE) == ["node gke-a100-2"]
    assert problems(seen, Kind.CERTIFICATE) == ["TLS of team fraud"]
    assert problems(seen, Kind.DRIFT) == ["DaskCluster fraud/fraud, spec.worker.replicas: changed"]
    assert problems(seen, Kind.BEFORE_UP) == ["quota: NVIDIA_A100_GPUS in us-central1"]
    (scaled,) = (problem for problem in seen.problems if problem.kind is Kind.DRIFT)
    assert scaled.says.startswith("a user's scaling: kubectl-scale")
    assert scaled.team == "fraud"


def test_several_reasons_of_a_team_are_one_line() -> None:
    seen = troubled()
    (says,) = [each.says for each in seen.problems if each.kind is Kind.TEAM]

    assert "; " in says
    assert "\\n" not in says


def test_what_waits_and_what_ended_is_told_with_the_reason() -> None:
    seen = troubled()
    assert seen.waiting is not None
    assert [row.waits_for for row in seen.waiting if row.name == "fraud-x"] == [
        f"not scheduled: {NO_GPU}"
    ]
    assert seen.losses is not None
    assert [("OOMKilled" in row.why, row.pod) for row in seen.losses] == [(True, "fraud-w")]
    assert seen.teams is not None
    assert [row.restarts for row in seen.teams] == [0, 2]


def test_an_upgrade_names_the_pools_that_are_older_and_whose_pods_are_on_them() -> None:
    upgrades = view().upgrades
    assert upgrades is not None
    assert not upgrades.control_plane_is_due
    (touched,) = upgrades.touched
    assert (touched.pool, touched.version, touched.nodes) == ("a100-g1", OLD, 1)
    assert touched.teams == ("climate", "fraud")
    assert upgrades.control_plane == NEW
    assert upgrades.window.endswith("again by FREQ=WEEKLY;BYDAY=SA")
    assert upgrades.exclusions == (
        "quarter-end: 2026-12-20T00:00:00Z to 2027-01-05T00:00:00Z, no minor upgrades",
    )


@pytest.mark.parametrize(
    ("source", "nodes"), [("nodes", None), ("teams", 1)], ids=["nodes", "teams"]
)
def test_what_an_upgrade_touches_is_not_known_where_it_could_not_be_read(
    source: str, nodes: int | None
) -> None:
    upgrades = view(**unread(source)).upgrades
    assert upgrades is not None
    (touched,) = upgrades.touched
    assert (touched.nodes, touched.teams) == (nodes, None)


def test_what_the_nodes_cost_now_is_shared_by_who_holds_their_gpus() -> None:
    money = view().money
    assert money is not None
    # One A100 node at 8.00 with two GPUs, one each; the system node at 1.00, the fee of 0.50.
    assert {row.name: row.now_usd_per_hour for row in money.rows} == {
        "climate": 4.0,
        "fraud": 4.0,
        "GPUs that no team uses": 0.0,
        "what all teams need": 1.5,
    }
    assert money.now_usd_per_hour == 9.5
    assert money.month_usd == 9.5 * 730
    assert money.unpriced == ()


@pytest.mark.parametrize("offered", ["1", "0"])
def test_a_gpu_that_is_offered_no_more_costs_whose_pod_still_holds_it(offered: str) -> None:
    sick = node("gke-a100-1")
    sick["status"]["allocatable"] = {"nvidia.com/gpu": offered}
    money = view(nodes=reading(SourceName.NODES, (sick, node("sys-1", "system-g1")))).money
    assert money is not None
    shares = {row.name: row.now_usd_per_hour for row in money.rows}
    assert (shares["climate"], shares["fraud"]) == (4.0, 4.0)
    assert shares["GPUs that no team uses"] == 0.0


def test_a_node_that_nobody_uses_and_one_of_a_pool_without_a_price_are_told() -> None:
    money = troubled().money
    assert money is not None
    shares = {row.name: row.now_usd_per_hour for row in money.rows}
    assert shares["GPUs that no team uses"] == 8.0


def test_no_credential_gets_into_the_view() -> None:
    lost = reading(UNREAD["google"], None, why_not=f"refused: Authorization: Bearer {TOKEN}")
    assert TOKEN not in view(google=lost).model_dump_json()
