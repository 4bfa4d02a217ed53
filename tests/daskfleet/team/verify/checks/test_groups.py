"""Unit: a team whose workers are of two groups."""

from typing import Any

from daskfleet.team.verify.facts import BoundTask, TeamFacts
from daskfleet.team.verify.model import Check, Outcome
from tests.daskfleet.team.verify.samples import (
    IMAGE,
    WORKERS,
    checked,
    dask,
    facts,
    pod,
    the_only_failure,
    worker,
)

MEMORY = {
    "dask_worker_group": "fraud-memory",
    "workers": 1,
    "worker_pool": "a100-80gb",
    "threads_per_worker": 1,
    "worker_resources": {"GPU": 1, "MEMORY": 70},
}
FIRST, SECOND = "fraud-default-worker-0a1b2c3d4e", "fraud-memory-worker-0a1b2c3d4e"


def collected(*, pool: str = "a100-80gb", second: str = SECOND, **changes: Any) -> TeamFacts:
    """A fleet with one worker in each group."""
    workers = (
        worker(0, name=FIRST),
        worker(1, name=second, **{"resources": {"GPU": 1, "MEMORY": 70}, **changes}),
    )
    own: dict[str, float] = {"GPU": 1, "MEMORY": 70}
    tasks = (
        BoundTask(asked={"GPU": 1}, meant_for="", ran_on=WORKERS[0]),
        BoundTask(asked=own, meant_for=WORKERS[1], ran_on=WORKERS[1]),
    )
    return facts(
        pods=(pod("scheduler"), pod(f"{FIRST}-x"), pod(f"{second}-x", pool=pool, image=IMAGE)),
        dask=dask(workers=workers, bound_tasks=tasks),
    )


def judged(seen: TeamFacts) -> dict[str, Check]:
    """The checks of a team that declares one worker in each group."""
    return checked(seen, workers=1, groups={"memory": MEMORY})


def test_both_groups_as_declared_pass_and_are_told() -> None:
    checks = judged(collected())

    failures = {name for name, check in checks.items() if check.outcome is Outcome.FAILED}
    assert failures == set()
    assert checks["workers"].expected.startswith(
        "2 workers (1 of fraud-default, 1 of fraud-memory) connected"
    )
    assert "GPU=1, MEMORY=70" in checks["resources"].expected


def test_a_worker_of_the_wrong_group_is_no_worker_of_the_right_one() -> None:
    checks = judged(collected(second="fraud-default-worker-ffffffffff", pool="a100"))

    assert "2 connected (2 of fraud-default, 0 of fraud-memory)" in checks["workers"].seen
    assert checks["workers"].outcome is Outcome.FAILED
    assert checks["pods ready"].outcome is Outcome.FAILED


def test_a_worker_on_the_other_groups_pool_is_found() -> None:
    failure = the_only_failure(judged(collected(pool="a100")))

    assert failure.name == "pods on their pools"
    assert f"{SECOND}-x is on pool a100" in failure.seen


def test_a_worker_without_its_groups_resource_is_found() -> None:
    failure = the_only_failure(judged(collected(resources={"GPU": 1})))

    assert failure.name == "resources"
    assert f"worker {SECOND} has GPU=1" in failure.seen
