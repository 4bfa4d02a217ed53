"""Unit: a team that is adaptive no more gets its declared number of workers, and keeps it."""

import asyncio
import time

import pytest

from components.gates import adaptivity_end
from components.gates.adaptivity_end import end_adaptivity
from components.gates.namespace_api import NamespaceApi
from tests.components.cluster_server import Cluster, Namespace, served

HELD = ("PATCH", "daskautoscalers", {"spec": {"minimum": 4, "maximum": 4}})
SIZED = ("PATCH", "daskworkergroups", {"spec": {"worker": {"replicas": 4}}})
GONE = ("DELETE", "daskautoscalers", None)


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adaptivity_end, "SETTLE_S", 0)


def end(cluster: Cluster, *, patience_s: float = 10) -> None:
    async def run() -> None:
        async with served(Namespace(cluster)) as kubeconfig:
            await end_adaptivity(
                await NamespaceApi.connect(kubeconfig, namespace="alpha"),
                cluster="alpha",
                workers=4,
                deadline=time.monotonic() + patience_s,
                report=lambda _: None,
            )

    asyncio.run(run())


def adaptive(**metadata: str) -> Cluster:
    cluster = Cluster()
    cluster.autoscaler = {
        "metadata": {"name": "alpha", **metadata},
        "spec": {"cluster": "alpha", "minimum": 1, "maximum": 8},
    }
    return cluster


def test_the_autoscaler_holds_the_number_before_the_group_gets_it_and_goes_last() -> None:
    cluster = adaptive()

    end(cluster)

    assert cluster.steps == [HELD, SIZED, GONE]


def test_an_up_that_ended_in_between_is_taken_up_where_it_was() -> None:
    cluster = adaptive()
    cluster.adapt(*HELD)
    cluster.adapt(*SIZED)
    cluster.steps.clear()

    end(cluster)

    assert cluster.steps == [GONE]


def test_a_cluster_without_one_is_left_alone_whatever_its_size() -> None:
    cluster = Cluster()

    end(cluster)

    assert cluster.steps == []


def test_one_that_is_on_its_way_out_moves_nothing_any_more() -> None:
    cluster = adaptive(deletionTimestamp="2026-01-01T00:00:00Z")

    end(cluster)

    assert cluster.steps == []
