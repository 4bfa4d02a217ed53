"""Unit: the gate among several clusters of a team, against an API server of a few lines."""

import asyncio
from dataclasses import dataclass, field

import pytest

from components.gates import namespace_watch, readiness_gate, rollout_gate
from components.gates.readiness_gate import NotReadyError
from components.gates.rollout_gate import Reports, take_over
from daskfleet.settings.team import Rollout
from tests.components.cluster_objects import DECLARED
from tests.components.cluster_server import Cluster, Namespace, served

BLUE_GREEN = Rollout(kind="blue-green")
PATIENT = Rollout(kind="blue-green", wait_idle_s=60)
OLD, FAILED = "alpha-0a1b2c3d", "alpha-4e5f6a7b"


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness_gate, "OPERATOR_PAUSE_S", 0.01)
    monkeypatch.setattr(rollout_gate, "ASK_AGAIN_S", 0.01)
    monkeypatch.setattr(namespace_watch, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(namespace_watch, "BURST_S", 0)


@dataclass
class Said:
    """What the gate told, by kind."""

    progress: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def gate(namespace: Namespace, rollout: Rollout, *, timeout_s: float = 5) -> Said:
    """Let the cluster ``alpha`` take over."""
    said = Said()

    async def run() -> None:
        async with served(namespace) as kubeconfig:
            await take_over(
                kubeconfig=kubeconfig,
                declared=DECLARED,
                rollout=rollout,
                timeout_s=timeout_s,
                reports=Reports(progress=said.progress.append, warning=said.warnings.append),
            )

    asyncio.run(run())
    return said


def stuck(name: str) -> Cluster:
    """A cluster with a pod that finds no node."""
    cluster = Cluster(name)
    cluster.pods[1]["status"]["conditions"] = [
        {"type": "PodScheduled", "status": "False", "message": "no GPU is free"}
    ]
    return cluster


def busy(*answers: bool | None) -> Cluster:
    """The old cluster, whose scheduler answers this when asked whether it is idle."""
    cluster = Cluster(OLD)
    cluster.idle = list(answers)
    return cluster


def test_a_cluster_alone_passes_without_a_word() -> None:
    assert gate(Namespace(Cluster(), selected="alpha"), PATIENT) == Said()


def test_what_serves_is_left_alone() -> None:
    namespace = Namespace(Cluster(), Cluster(OLD), selected=OLD)

    gate(namespace, BLUE_GREEN)

    assert namespace.names == {"alpha", OLD}


def test_what_failed_earlier_goes_before_the_next_one_is_waited_for() -> None:
    namespace = Namespace(stuck("alpha"), Cluster(OLD), stuck(FAILED), selected=OLD)

    with pytest.raises(NotReadyError):
        gate(namespace, BLUE_GREEN, timeout_s=2)

    assert namespace.names == {"alpha", OLD}


def test_what_the_operator_fails_to_create_is_taken_off_its_hands_and_goes() -> None:
    failing = Cluster(FAILED, failures=99, phase="Created", complete=False)
    namespace = Namespace(Cluster(), failing, selected="alpha")

    gate(namespace, BLUE_GREEN)

    assert failing.phases == ["Error"]
    assert namespace.names == {"alpha"}


def test_what_does_not_go_ends_the_wait_and_is_named_with_the_next_step() -> None:
    failed = Cluster(FAILED)
    failed.looks_until_gone = 10**6
    namespace = Namespace(Cluster(), failed, selected="alpha")

    with pytest.raises(NotReadyError, match=f"kubectl describe .* daskcluster {FAILED}"):
        gate(namespace, BLUE_GREEN, timeout_s=0.1)


def test_a_new_cluster_that_does_not_come_up_is_told_with_the_one_that_serves() -> None:
    namespace = Namespace(stuck("alpha"), Cluster(OLD), selected=OLD)

    with pytest.raises(NotReadyError) as caught:
        gate(namespace, BLUE_GREEN, timeout_s=0.1)

    assert "pod w1: not scheduled: no GPU is free" in str(caught.value)
    assert f"{OLD} goes on serving the team" in str(caught.value)


def test_a_quota_that_others_have_filled_is_told_with_the_way_round_it() -> None:
    refused = Cluster()
    refused.pods.pop()
    refused.refusal = "exceeded quota: gpus, requested: 1, used: 6, limited: 6"

    with pytest.raises(NotReadyError, match=r"goes on serving .* `pulumi up` looks again"):
        gate(Namespace(refused, Cluster(OLD), selected=OLD), BLUE_GREEN, timeout_s=0.1)


def test_recreate_does_not_wait_beside_a_blue_green_cluster_but_takes_its_place() -> None:
    namespace = Namespace(Cluster(), busy(False), selected=OLD)

    gate(namespace, Rollout())

    assert namespace.names == {"alpha"}


def test_the_address_waits_until_the_old_scheduler_is_idle() -> None:
    old = busy(False, False, True)

    said = gate(Namespace(Cluster(), old, selected=OLD), PATIENT)

    assert old.idle == [True]
    assert said.progress == [
        f"ready; 0 of at most 60 s for the scheduler of {OLD}, which is at work"
    ]
    assert said.warnings == []


def test_without_a_wait_the_old_scheduler_is_not_even_asked() -> None:
    old = busy(False, True)

    gate(Namespace(Cluster(), old, selected=OLD), BLUE_GREEN)

    assert old.idle == [False, True]


def test_a_scheduler_that_stays_busy_is_waited_for_no_longer_than_that() -> None:
    rollout = Rollout.model_construct(kind="blue-green", wait_idle_s=0.1)

    said = gate(Namespace(Cluster(), busy(False), selected=OLD), rollout)

    assert len(said.warnings) == 1
    assert f"The scheduler of {OLD} is at work. The address moves all the same" in said.warnings[0]


def test_a_scheduler_that_cannot_be_asked_is_waited_for_no_longer_than_that() -> None:
    rollout = Rollout.model_construct(kind="blue-green", wait_idle_s=0.1)

    said = gate(Namespace(Cluster(), busy(None), selected=OLD), rollout)

    assert "cannot be asked whether it is idle" in said.warnings[0]
    assert "connection refused" in said.warnings[0]


def test_a_scheduler_that_fails_to_answer_once_is_asked_again() -> None:
    said = gate(Namespace(Cluster(), busy(None, True), selected=OLD), PATIENT)

    assert said.warnings == []


def test_an_api_server_that_is_busy_for_a_moment_is_asked_again() -> None:
    namespace = Namespace(Cluster(), selected="alpha")
    namespace.busy_requests = 2

    assert gate(namespace, BLUE_GREEN) == Said()


def test_a_cluster_that_is_being_deleted_is_told_with_the_way_out() -> None:
    cluster = Cluster()
    cluster.document["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    cluster.looks_until_gone = 10**6

    with pytest.raises(NotReadyError, match=r"being deleted .*`pulumi up --refresh`"):
        gate(Namespace(cluster, selected="alpha"), BLUE_GREEN, timeout_s=0.1)
