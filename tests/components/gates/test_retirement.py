"""Unit: which workers of a group go, and in which order things happen to them."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest
from pydantic import BaseModel

from components.gates import namespace_watch
from components.gates.namespace_api import NamespaceApi, NotFoundError, UnansweredError
from components.gates.retire_workers import NotRetiredError, retire_surplus
from components.gates.retirement import SurplusWorkers, surplus_workers

GROUP = "alpha-memory"


def deployment(name: str, *, minute: int = 0, leaving: bool = False) -> dict[str, Any]:
    metadata = {"name": name, "creationTimestamp": f"2026-01-01T00:{minute:02}:00Z"}
    if leaving:
        metadata["deletionTimestamp"] = "2026-01-01T01:00:00Z"
    return {"metadata": metadata}


THREE = [deployment(f"w{minute}", minute=minute) for minute in range(3)]


def test_the_youngest_go() -> None:
    surplus = surplus_workers(THREE, declared=1, connected={"w0", "w1", "w2"})

    assert surplus == SurplusWorkers(unknown=(), connected=("w2", "w1"))


def test_a_worker_that_the_scheduler_does_not_know_goes_before_any_that_holds_results() -> None:
    assert surplus_workers(THREE, declared=2, connected={"w1", "w2"}) == SurplusWorkers(
        unknown=("w0",), connected=()
    )


def test_a_worker_that_is_already_going_is_one_of_those_that_go() -> None:
    surplus = surplus_workers(
        [*THREE, deployment("w3", minute=3, leaving=True)], declared=3, connected={"w0", "w1", "w2"}
    )

    assert surplus == SurplusWorkers(unknown=(), connected=())


@pytest.mark.parametrize("declared", [3, 4])
def test_nobody_goes_when_there_are_not_too_many(declared: int) -> None:
    assert surplus_workers(THREE, declared=declared, connected=()) == SurplusWorkers(
        unknown=(), connected=()
    )


class Fleet:
    """A namespace in which a scheduler knows some of a group's workers."""

    namespace = "alpha"

    def __init__(self, *workers: str, connected: tuple[str, ...] | None = None) -> None:
        self.deployments = {name: place for place, name in enumerate(workers)}
        self.connected = set(workers if connected is None else connected)
        self.keeps: set[str] = set()
        self.happened: list[str] = []
        self.failures: list[Exception] = []
        self.has_scheduler = True
        self._changed = asyncio.Event()

    async def labelled(self, _: str, plural: str, **labels: str) -> tuple[dict[str, Any], ...]:
        """The scheduler's pod, or the group's Deployments."""
        if plural == "pods":
            running: dict[str, Any] = {"containerStatuses": [{"state": {"running": {}}}]}
            pod = {"metadata": {"name": "scheduler"}, "status": running}
            return (pod,) if self.has_scheduler else ()
        assert labels == {"dask.org/workergroup-name": GROUP}
        return tuple(deployment(name, minute=at) for name, at in self.deployments.items())

    async def ask_pod(
        self,
        _: str,
        url: str,
        *,
        answers: type[BaseModel],
        body: Mapping[str, Any] | None = None,
        timeout_s: float = 1,
    ) -> BaseModel:
        """What the scheduler answers, once it answers."""
        del timeout_s
        if self.failures:
            raise self.failures.pop()
        if url.endswith("get_workers"):
            there = [{"name": w, "address": f"tcp://{w}"} for w in self.connected]
            return answers.model_validate({"workers": there})
        assert body is not None
        asked = [address.removeprefix("tcp://") for address in body["workers"]]
        done = [name for name in asked if name not in self.keeps]
        self.happened += [f"retire {name}" for name in done]
        return answers.model_validate({f"tcp://{name}": {"name": name} for name in done})

    async def request(self, method: str, _: str, url: str, **arguments: Any) -> dict[str, Any]:
        """A deletion."""
        assert (method, arguments) == ("DELETE", {"json": {"propagationPolicy": "Background"}})
        name = url.removeprefix("deployments/")
        self.happened.append(f"delete {name}")
        if name not in self.deployments:
            raise NotFoundError(name)
        asyncio.get_running_loop().call_soon(self._let_go, name)
        return {}

    async def changes(self, _: str, plural: str, **labels: str) -> AsyncIterator[None]:
        """Tell of each Deployment that has gone."""
        assert (plural, labels) == ("deployments", {"dask.org/workergroup-name": GROUP})
        while True:
            await self._changed.wait()
            self._changed.clear()
            yield

    def _let_go(self, name: str) -> None:
        del self.deployments[name]
        self._changed.set()


def shrink(
    fleet: Fleet,
    monkeypatch: pytest.MonkeyPatch,
    *,
    to: int,
    timeout_s: float = 5,
    look_every_s: float = 0,
) -> None:
    async def connect(*_: object, **__: object) -> Fleet:
        return fleet

    monkeypatch.setattr(namespace_watch, "LOOK_EVERY_S", look_every_s)
    monkeypatch.setattr(namespace_watch, "BURST_S", 0)
    monkeypatch.setattr(NamespaceApi, "connect", connect)
    asyncio.run(
        retire_surplus(
            kubeconfig={},
            namespace="alpha",
            cluster="alpha",
            group=GROUP,
            declared=to,
            timeout_s=timeout_s,
            report=lambda _: None,
        )
    )


def test_a_worker_hands_over_before_its_deployment_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = Fleet("w0", "w1")

    shrink(fleet, monkeypatch, to=1)

    assert fleet.happened == ["retire w1", "delete w1"]


def test_the_wait_ends_when_the_deployments_have_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = Fleet("w0", "w1")

    started = time.monotonic()
    shrink(fleet, monkeypatch, to=1, look_every_s=60)

    assert time.monotonic() - started < 5


def test_a_group_that_is_not_too_large_is_only_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = Fleet("w0", "w1")

    shrink(fleet, monkeypatch, to=2)

    assert fleet.happened == []


def test_a_worker_that_cannot_hand_over_stays_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = Fleet("w0", "w1")
    fleet.keeps = {"w1"}

    with pytest.raises(NotRetiredError, match="no other worker takes what w1 hold"):
        shrink(fleet, monkeypatch, to=1, timeout_s=0.01)

    assert set(fleet.deployments) == {"w0", "w1"}


def test_a_scheduler_that_does_not_answer_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = Fleet("w0", "w1")
    fleet.failures = [UnansweredError("busy")]

    shrink(fleet, monkeypatch, to=1)

    assert set(fleet.deployments) == {"w0"}


def test_without_a_scheduler_there_is_nothing_to_hand_over(monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = Fleet("w0", "w1")
    fleet.has_scheduler = False

    shrink(fleet, monkeypatch, to=1)

    assert fleet.happened == ["delete w1"]


def test_an_interrupted_retirement_goes_on_with_the_same_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # It was retired and not deleted: its container has started again, and it is known again.
    fleet = Fleet("w0", "w1", "w2")
    first = surplus_workers(
        [deployment(name, minute=at) for name, at in fleet.deployments.items()],
        declared=2,
        connected=fleet.connected,
    )

    shrink(fleet, monkeypatch, to=2)

    assert fleet.happened == [f"{step} {first.connected[0]}" for step in ("retire", "delete")]
