"""Unit: whether a team's cluster is ready, and what is said of pods that are not even made."""

from dataclasses import replace
from typing import Any

import pytest

from daskfleet.contract.declared import DeclaredGroup
from daskfleet.team.status.assess import assess
from daskfleet.team.status.model import ClusterKind, DaskStatus, Verdict
from tests.daskfleet.team.status.objects import (
    HEALTHY,
    NOW,
    TEAM,
    cluster,
    event,
    group,
    observed,
    pod,
    report_of,
)

ASLEEP = {"asleep-since": "2026-11-22T20:00:00+00:00", "declared-workers": "2"}
QUOTA = (
    'Error creating: pods "fraud-default-worker-0a1b2c3d4e-5f" is forbidden: exceeded quota: gpus, '
    "requested: requests.nvidia.com/gpu=1, used: requests.nvidia.com/gpu=3, limited: "
    "requests.nvidia.com/gpu=3"
)


def test_a_cluster_with_its_scheduler_and_all_workers_is_ready() -> None:
    report = report_of(*HEALTHY)

    assert report.verdict is Verdict.READY
    assert (report.problems, report.losses, report.not_known) == ((), (), ())
    (fixed,) = report.clusters
    assert [(each.name, each.ready, each.wanted) for each in fixed.groups] == [
        ("fraud-default", 2, 2)
    ]


@pytest.mark.parametrize("missing", range(3))
def test_a_cluster_without_any_one_of_its_pods_is_not_ready(missing: int) -> None:
    rest = [each for place, each in enumerate(HEALTHY) if place != missing]

    assert report_of(*rest).verdict is Verdict.NOT_READY


def test_what_counts_is_what_is_wanted_now_and_what_is_declared_is_told() -> None:
    fewer = report_of(*HEALTHY[:2], groups=(group(replicas=1),))
    more = report_of(*HEALTHY, groups=(group(replicas=3),))

    assert (fewer.verdict, more.verdict) == (Verdict.READY, Verdict.NOT_READY)
    assert fewer.clusters[0].groups[0].declared == 2


def test_an_adaptive_team_is_ready_with_what_is_declared() -> None:
    adaptive = TEAM.model_copy(update={"most_workers": 8})

    more_come = report_of(*HEALTHY, team=adaptive, groups=(group(replicas=5),))
    too_few = report_of(*HEALTHY[:2], team=adaptive, groups=(group(replicas=5),))

    assert (more_come.verdict, too_few.verdict) == (Verdict.READY, Verdict.NOT_READY)


def test_a_team_that_sleeps_is_told_since_when_and_what_wakes_it() -> None:
    report = report_of(HEALTHY[0], groups=(group(replicas=0, **ASLEEP),))

    assert report.verdict is Verdict.ASLEEP
    assert report.why.startswith("asleep since 2026-11-22 20:00 UTC, 2 declared")
    assert report.problems == ()


def test_a_team_that_sleeps_without_its_scheduler_is_not_ready() -> None:
    assert report_of(groups=(group(replicas=0, **ASLEEP),)).verdict is Verdict.NOT_READY


def test_workers_of_another_group_do_not_stand_in() -> None:
    big = DeclaredGroup(dask_worker_group="fraud-big", workers=1, worker_pool="h100")
    team = TEAM.model_copy(update={"groups": {"big": big}})
    of_big = pod("b-1")
    of_big["metadata"]["labels"]["dask.org/workergroup-name"] = "fraud-big"
    both = (group(), group("fraud-big", 1))

    three_of_one = report_of(*HEALTHY, pod("w-3"), team=team, groups=both)
    as_declared = report_of(*HEALTHY, of_big, team=team, groups=both)

    assert three_of_one.verdict is Verdict.NOT_READY
    assert [problem.about for problem in three_of_one.problems] == [
        "fraud-big lacks 1 of 1 workers"
    ]
    assert as_declared.verdict is Verdict.READY


def test_a_group_that_somebody_deleted_is_missed() -> None:
    report = report_of(HEALTHY[0], groups=())

    assert report.verdict is Verdict.NOT_READY
    assert [(each.about, each.says) for each in report.problems] == [
        ("DaskWorkerGroup fraud-default", "is not there")
    ]


def test_a_cluster_that_somebody_deleted_is_told_once() -> None:
    report = report_of(clusters=(), groups=())

    assert report.verdict is Verdict.NOT_READY
    assert [each.about for each in report.problems] == [
        "DaskCluster fraud",
        "DaskWorkerGroup fraud-default",
    ]


def test_a_pod_that_the_quota_refuses_is_told_with_the_newest_refusal() -> None:
    refused = event("fraud-default-worker-0a1b2c3d4e-5f", "FailedCreate", QUOTA, kind="ReplicaSet")
    older = event(
        "fraud-default-worker-0a1b2c3d4e-5f",
        "FailedCreate",
        "status unknown for quota: gpus",
        kind="ReplicaSet",
        at="2026-11-23T08:10:00Z",
    )
    report = report_of(*HEALTHY, groups=(group(replicas=3),), events=(refused, older))

    (problem,) = report.problems
    assert problem.about == "fraud-default lacks 1 of 3 workers"
    assert "limited: requests.nvidia.com/gpu=3" in problem.says
    assert problem.means.startswith("The stack file declares 2, and the quota")


def test_a_declared_worker_that_the_quota_refuses_is_told_who_may_have_its_room() -> None:
    refused = event("fraud-default-worker-0a1b2c3d4e-5f", "FailedCreate", QUOTA, kind="ReplicaSet")
    (problem,) = report_of(*HEALTHY[:2], events=(refused,)).problems

    assert problem.means.startswith("The quota of the team's namespace is used up, by clusters")


def test_a_refusal_that_came_often_is_told_as_the_last_one() -> None:
    said = f"(combined from similar events): {QUOTA}"
    refused = event("fraud-scheduler-6f7db556c7", "FailedCreate", said, kind="ReplicaSet")
    (problem,) = report_of(*HEALTHY[1:], events=(refused,)).problems

    assert (problem.about, problem.says) == ("fraud lacks its scheduler", QUOTA)


def test_an_old_refusal_is_not_told_of_pods_that_are_there() -> None:
    refused = event("fraud-default-worker-0a1b2c3d4e-5f", "FailedCreate", QUOTA, kind="ReplicaSet")

    assert report_of(*HEALTHY, events=(refused,)).problems == ()


def test_what_the_operator_has_not_made_is_told() -> None:
    (problem,) = report_of(*HEALTHY[:2]).problems

    assert (problem.about, problem.says) == (
        "fraud-default lacks 1 of 2 workers",
        "there is no pod",
    )


def test_a_cluster_of_a_members_own_is_told_and_decides_nothing() -> None:
    own = pod("own-scheduler", "scheduler", cluster="fraud-grace", unscheduled="0/3 nodes")
    report = report_of(
        *HEALTHY,
        own,
        clusters=(cluster(), cluster("fraud-grace")),
        groups=(group(), group("fraud-grace-default", 1, cluster="fraud-grace")),
    )

    assert report.verdict is Verdict.READY
    assert [(each.name, each.kind) for each in report.clusters] == [
        ("fraud", ClusterKind.FIXED),
        ("fraud-grace", ClusterKind.OWN),
    ]
    assert [each.name for each in report.pods][-1] == "own-scheduler"


def test_what_a_rollout_brings_is_no_members_own() -> None:
    new = cluster("fraud-0a1b2c3d")
    new["metadata"]["labels"] = {"app.kubernetes.io/part-of": "daskfleet"}
    report = report_of(*HEALTHY, clusters=(cluster(), new))

    assert report.verdict is Verdict.READY
    assert report.clusters[1].kind is ClusterKind.SUCCESSOR


def test_an_own_cluster_may_have_another_image() -> None:
    own = pod("own-worker", cluster="fraud-grace", image="nightly")

    assert [each.waits_for for each in report_of(*HEALTHY, own).pods] == [""] * 4
    fixed = pod("w-2", image="nightly")
    assert "runs nightly instead of" in report_of(*HEALTHY[:2], fixed).pods[-1].waits_for


@pytest.mark.parametrize("unread", ["events", "clusters", "groups", "quotas"])
def test_what_could_not_be_read_hides_nothing_else(unread: str) -> None:
    said = (f"{unread}: forbidden",)
    changes: dict[str, Any] = {unread: None, "not_known": said}
    report = report_of(*HEALTHY, **changes)

    assert report.verdict is Verdict.READY
    assert len(report.pods) == 3
    assert report.not_known == said
    assert report.problems == ()


def test_workers_that_nobody_may_want_leave_the_verdict_open() -> None:
    fewer, away = report_of(*HEALTHY[:2], groups=None), report_of(*HEALTHY[1:], groups=None)

    assert fewer.verdict is Verdict.UNKNOWN
    assert away.verdict is Verdict.NOT_READY  # its scheduler is


def test_pods_that_cannot_be_read_leave_the_verdict_open_and_nothing_is_missed() -> None:
    unread = replace(observed(), pods=None, not_known=("pods: forbidden",))

    report = assess(TEAM, unread, name="fraud", stack="prod", at=NOW)

    assert report.verdict is Verdict.UNKNOWN
    assert report.problems == ()


def test_ready_workers_that_the_scheduler_does_not_know_are_told() -> None:
    told = dict.fromkeys(DaskStatus.model_fields, 0)
    one = DaskStatus(**{**told, "workers": 1})
    both = DaskStatus(**{**told, "workers": 2})

    (problem,) = report_of(*HEALTHY, dask=one).problems

    assert "2 worker pods are ready, and 1 workers are connected" in problem.says
    assert report_of(*HEALTHY, dask=both).problems == ()


def test_the_quota_is_told_as_kubernetes_counts_it() -> None:
    gpus = {
        "metadata": {"name": "gpus"},
        "status": {
            "hard": {"requests.nvidia.com/gpu": "3"},
            "used": {"requests.nvidia.com/gpu": "2"},
        },
    }
    new = {"metadata": {"name": "a-new-one"}, "status": {}}

    (use,) = report_of(*HEALTHY, quotas=(gpus, new)).quotas

    assert (use.resource, use.used, use.most) == ("requests.nvidia.com/gpu", "2", "3")


def test_what_the_cluster_says_cannot_steer_a_terminal() -> None:
    waiting = pod("w-2", unscheduled="\x1b[2J0/3 nodes \u202eare available")
    text = report_of(*HEALTHY[:2], waiting).model_dump_json()

    assert "\\u001b" not in text
    assert "\u202e" not in text
    assert "\\\\x1b[2J0/3 nodes" in text
