"""Unit: pods by the documents of the Kubernetes API."""

import pytest

from daskfleet.team.verify.facts import SchedulerFacts
from daskfleet.team.verify.model import Outcome
from tests.daskfleet.team.verify.samples import (
    A100,
    IMAGE,
    checked,
    dask,
    facts,
    pod,
    process,
    the_only_failure,
)


def test_everything_in_order_is_ok() -> None:
    assert {check.outcome for check in checked(facts()).values()} == {Outcome.OK}


def test_an_adaptive_team_is_in_order_at_every_size_between_its_bounds() -> None:
    for most, outcome in ((4, Outcome.OK), (2, Outcome.OK), (1, Outcome.FAILED)):
        checks = checked(facts(), workers=min(most, 1), most_workers=most)

        assert checks["pods ready"].outcome is outcome, most
        assert checks["workers"].outcome is outcome, most
    assert checks["workers"].expected == "1 to 1 workers connected to the scheduler"


def test_a_scheduler_on_the_workers_pool_is_named_with_its_place() -> None:
    moved = pod("scheduler", pool="a100", node="gke-a100-1")
    found = facts(
        pods=(moved, pod("worker-0"), pod("worker-1")),
        dask=dask(scheduler=SchedulerFacts(process=process(A100))),
    )
    failure = the_only_failure(checked(found))

    assert failure.name == "pods on their pools"
    assert failure.seen == "scheduler scheduler is on pool a100 (node gke-a100-1)"
    assert "`daskfleet drift`" in failure.next_step


def test_a_scheduler_may_fall_back_to_the_workers_pool_where_the_team_says_so() -> None:
    moved = facts(
        pods=(pod("scheduler", pool="a100"), pod("worker-0"), pod("worker-1")),
    )
    checks = checked(moved, scheduler_fallback="worker-pool")

    assert checks["pods on their pools"].outcome is Outcome.OK
    # And then it has the GPU of that pool.
    assert "Tesla T4" in the_only_failure(checks).seen


def test_a_worker_with_another_image_is_named() -> None:
    other = IMAGE.replace("26.10", "26.08")
    found = facts(pods=(pod("scheduler"), pod("worker-0"), pod("worker-1", image=other)))
    failure = the_only_failure(checked(found))

    assert failure.name == "image of every pod"
    assert failure.expected == IMAGE
    assert failure.seen == f"worker-1 runs {other}"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"is_ready": False, "state": "Pending, ImagePullBackOff: no such image"}, "ImagePull"),
        ({"is_ready": False, "state": "Running, the probe fails"}, "the probe fails"),
    ],
)
def test_a_pod_that_is_not_ready_is_named_with_its_reason(
    changes: dict[str, object], reason: str
) -> None:
    found = facts(pods=(pod("scheduler"), pod("worker-0"), pod("worker-1", **changes)))
    failure = the_only_failure(checked(found))

    assert failure.name == "pods ready"
    assert failure.seen.startswith("1 scheduler and 1 worker ready; worker-1: ")
    assert reason in failure.seen


def test_no_pods_at_all_are_never_in_order() -> None:
    checks = checked(facts(pods=()))

    for name in ("pods ready", "pods on their pools", "image of every pod"):
        assert checks[name].outcome is Outcome.FAILED


def test_pools_that_nobody_could_look_up_are_neither_right_nor_wrong() -> None:
    found = facts(pods=(pod("scheduler", pool=None), pod("worker-0", pool=None)))
    check = checked(found)["pods on their pools"]

    assert check.outcome is Outcome.NOT_MEASURED
    assert "nodes may not be read" in check.seen
