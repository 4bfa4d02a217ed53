"""Unit: what counts as a ready Dask cluster, and what is said of one that is not."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from components.gates.readiness import Observed, assess, children_of
from components.gates.readiness_states import (
    Asleep,
    Creating,
    CreationFailing,
    Incomplete,
    Ready,
    Waiting,
)
from daskfleet.pod_status import KubernetesObject
from in_cluster.idle_controller.note import Note
from tests.components.cluster_objects import (
    DECLARED,
    complete,
    deployment,
    observed,
    pod,
)

ADAPTIVE = replace(DECLARED, is_adaptive=True)


@pytest.mark.parametrize("phase", ["Pending", "Running", "Error"])
def test_a_cluster_with_all_pods_ready_is_ready_whatever_the_operator_calls_its_phase(
    phase: str,
) -> None:
    assert assess(DECLARED, observed(*complete(), phase=phase)) == Ready()


def test_a_cluster_that_the_operator_calls_running_is_not_ready_with_a_pending_pod() -> None:
    state = assess(
        DECLARED,
        observed(
            pod("s", "scheduler"),
            pod("w1"),
            pod("w2", scheduled="0/3 nodes are available"),
            phase="Running",
        ),
    )

    assert state == Waiting(reasons=("pod w2: not scheduled: 0/3 nodes are available",))


def test_one_worker_too_many_is_not_ready() -> None:
    state = assess(DECLARED, observed(*complete(pod("w3"))))

    assert state == Waiting(reasons=("3 of 2 worker pods exist",))


@pytest.mark.parametrize("third", [pod("w3"), pod("w3", ready=False), pod("w3", terminating=True)])
def test_an_adaptive_cluster_is_ready_with_its_minimum_whatever_else_comes_or_goes(
    third: KubernetesObject,
) -> None:
    assert assess(ADAPTIVE, observed(*complete(third))) == Ready()


def test_an_adaptive_cluster_waits_for_its_minimum() -> None:
    one = assess(ADAPTIVE, observed(pod("s", "scheduler"), pod("w1")))
    booting = assess(ADAPTIVE, observed(pod("s", "scheduler"), pod("w1"), pod("w2", ready=False)))
    headless = assess(ADAPTIVE, observed(pod("s", "scheduler", ready=False), pod("w1"), pod("w2")))

    assert one == Waiting(reasons=("1 of at least 2 worker pods exist",))
    assert isinstance(booting, Waiting)
    assert [reason.split(":")[0] for reason in booting.reasons] == ["pod w2"]
    assert isinstance(headless, Waiting)
    assert [reason.split(":")[0] for reason in headless.reasons] == ["pod s"]


def test_a_cluster_without_a_scheduler_pod_is_not_ready() -> None:
    state = assess(DECLARED, observed(pod("w1"), pod("w2")))

    assert state == Waiting(reasons=("0 of 1 scheduler pods exist",))


def test_a_pod_that_the_api_server_refuses_is_reported_with_its_reason() -> None:
    state = assess(
        DECLARED,
        observed(
            pod("s", "scheduler"),
            pod("w1"),
            deployments=(
                deployment("scheduler"),
                deployment("worker", refusal="exceeded quota: gpus"),
            ),
        ),
    )

    assert state == Waiting(reasons=("1 of 2 worker pods exist: exceeded quota: gpus",))


def test_a_pod_with_yesterdays_image_is_not_ready() -> None:
    state = assess(DECLARED, observed(pod("s", "scheduler"), pod("w1"), pod("w2", image="old")))

    assert isinstance(state, Waiting)
    assert "pod w2: runs old instead of" in state.reasons[0]


def test_a_pod_on_its_way_out_is_waited_for() -> None:
    state = assess(
        DECLARED, observed(pod("s", "scheduler"), pod("w1"), pod("w2", terminating=True))
    )

    assert state == Waiting(reasons=("pod w2: terminating",))


@pytest.mark.parametrize("phase", ["Failed", "Succeeded"])
def test_what_an_eviction_left_behind_does_not_count(phase: str) -> None:
    left_behind = pod("evicted", phase=phase, ready=False)

    assert assess(DECLARED, observed(*complete(left_behind))) == Ready()


def test_a_cluster_under_deletion_is_never_ready() -> None:
    assert isinstance(assess(DECLARED, observed(*complete(), deleting=True)), Waiting)


@pytest.mark.parametrize("phase", [None, "Created"])
def test_objects_that_the_operator_was_asked_for_are_waited_for(phase: str | None) -> None:
    missing = children_of("alpha")

    assert assess(DECLARED, observed(phase=phase, missing=missing)) == Creating(missing=missing)


@pytest.mark.parametrize("phase", ["Pending", "Running", "Error"])
@pytest.mark.parametrize("missing", children_of("alpha"))
def test_an_object_that_the_operator_lost_or_gave_up_has_to_be_asked_for(
    phase: str, missing: str
) -> None:
    state = assess(DECLARED, observed(*complete(), phase=phase, missing=(missing,)))

    assert state == Incomplete(missing=(missing,))


def test_a_creation_that_the_operator_retries_in_vain_is_told_with_its_error() -> None:
    state = assess(
        DECLARED,
        observed(phase="Created", missing=children_of("alpha"), handler_error="invalid pod"),
    )

    assert state == CreationFailing(error="invalid pod")


def test_an_old_note_of_a_failure_does_not_outlive_the_repair() -> None:
    assert assess(DECLARED, observed(*complete(), handler_error="invalid pod")) == Ready()


def test_a_team_without_workers_is_ready_with_its_scheduler() -> None:
    declared = DECLARED.__class__(name="alpha", namespace="alpha", image=DECLARED.image, workers=0)

    assert assess(declared, observed(pod("s", "scheduler"))) == Ready()


ASLEEP = Note(since=datetime(2026, 11, 22, tzinfo=UTC), declared=2)
SLEEPER = replace(DECLARED, may_sleep=True)


def test_a_team_that_sleeps_is_ready_with_its_scheduler_alone() -> None:
    assert assess(SLEEPER, observed(pod("s", "scheduler"), asleep=ASLEEP)) == Ready()


def test_workers_on_their_way_to_sleep_are_waited_for() -> None:
    state = assess(SLEEPER, observed(*complete(), asleep=ASLEEP))

    assert state == Waiting(reasons=("2 of 0 worker pods exist",))


def test_a_team_that_sleeps_without_a_scheduler_is_not_ready() -> None:
    state = assess(SLEEPER, observed(asleep=ASLEEP))

    assert state == Waiting(reasons=("0 of 1 scheduler pods exist",))


def test_workers_that_nobody_let_go_are_missed_although_the_team_may_sleep() -> None:
    state = assess(SLEEPER, observed(pod("s", "scheduler")))

    assert state == Waiting(reasons=("0 of 2 worker pods exist",))


def test_another_number_than_the_one_that_went_to_sleep_is_waited_for() -> None:
    state = assess(replace(SLEEPER, workers=3), observed(pod("s", "scheduler"), asleep=ASLEEP))

    assert state == Waiting(reasons=("0 of 3 worker pods exist",))


def test_a_team_that_may_sleep_no_more_is_to_be_woken() -> None:
    state = assess(DECLARED, observed(pod("s", "scheduler"), asleep=ASLEEP))

    assert state == Asleep(workers=2)


GROUPED = replace(DECLARED, workers=1, groups={"alpha-memory": 1})


def of_group(name: str, group: str) -> KubernetesObject:
    worker = pod(name)
    worker["metadata"]["labels"]["dask.org/workergroup-name"] = f"alpha-{group}"
    return worker


def with_group(*pods: KubernetesObject) -> Observed:
    seen = observed(pod("s", "scheduler"), *pods)
    return replace(seen, children=seen.children | {"DaskWorkerGroup/alpha-memory"})


def test_a_cluster_is_ready_when_each_group_has_its_workers() -> None:
    state = assess(GROUPED, with_group(of_group("w1", "default"), of_group("w2", "memory")))

    assert state == Ready()


def test_workers_of_one_group_do_not_stand_in_for_anothers() -> None:
    state = assess(GROUPED, with_group(of_group("w1", "default"), of_group("w2", "default")))

    assert state == Waiting(
        reasons=(
            "2 of 1 worker pods of alpha-default exist",
            "0 of 1 worker pods of alpha-memory exist",
        )
    )


def test_a_group_that_somebody_deleted_is_named_with_what_brings_it_back() -> None:
    state = assess(GROUPED, observed(*complete()))

    assert isinstance(state, Waiting)
    assert "DaskWorkerGroup alpha-memory is gone" in state.reasons[0]
    assert "pulumi up --refresh" in state.reasons[0]
