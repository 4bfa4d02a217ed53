"""Unit: what an `up` says of where the workers of a chain came up."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import kr8s
import pytest

from components.gates.chain_report import chain_report, lines
from components.gates.namespace_api import NamespaceApi
from manifests.kubeconfig import kubeconfig_for

GROUP = "alpha-default"
CHAINS = {GROUP: ("spot", "a100")}


def node(name: str, pool: str) -> dict[str, Any]:
    """A node of a pool."""
    return {"metadata": {"name": name, "labels": {"cloud.google.com/gke-nodepool": pool}}}


def worker(node_name: str = "", group: str = GROUP) -> dict[str, Any]:
    """A worker's pod."""
    spec = {"nodeName": node_name} if node_name else {}
    return {"metadata": {"labels": {"dask.org/workergroup-name": group}}, "spec": spec}


def test_each_pool_of_a_chain_is_told_with_the_workers_that_it_carries() -> None:
    pods = [worker("n1"), worker("n1"), worker("n1", group="alpha-memory"), worker()]

    assert list(lines(CHAINS, pods=pods, nodes=[node("n1", "a100"), node("n2", "spot")])) == [
        "workers of alpha-default: 0 on spot, 2 on a100"
    ]


def test_workers_that_sleep_are_on_no_pool() -> None:
    assert list(lines(CHAINS, pods=[], nodes=[])) == [
        "workers of alpha-default: 0 on spot, 0 on a100"
    ]


def asked(monkeypatch: pytest.MonkeyPatch, *, of_nodes: Exception | None = None) -> tuple[str, ...]:
    """The report of a chain from an API server of two lists."""
    lists = {
        ("alpha", "pods"): [worker("n1")],
        (None, "nodes"): [node("n1", "spot")],
    }

    class Server:
        """What kr8s does of it."""

        @asynccontextmanager
        async def call_api(
            self, method: str, *, version: str, namespace: str | None, url: str, **arguments: Any
        ) -> AsyncIterator[httpx.Response]:
            assert (method, version) == ("GET", "v1")
            assert ("params" in arguments) == (url == "pods")
            if url == "nodes" and of_nodes:
                raise of_nodes
            yield httpx.Response(200, json={"items": lists[namespace, url]})

    async def connect(_: object, *, namespace: str) -> NamespaceApi:
        server: Any = Server()
        return NamespaceApi(server, namespace=namespace)

    monkeypatch.setattr(NamespaceApi, "connect", connect)
    kubeconfig = kubeconfig_for(name="c", host="127.0.0.1:1", ca_certificate=None)
    report = chain_report(kubeconfig, namespace="alpha", cluster="alpha", chains=CHAINS)
    return asyncio.run(report)


def test_nodes_are_asked_of_the_whole_cluster_and_pods_of_the_teams_namespace(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert asked(monkeypatch) == ("workers of alpha-default: 1 on spot, 0 on a100",)


@pytest.mark.parametrize(
    "of_nodes",
    [
        httpx.ConnectError("refused"),
        kr8s.ServerError("nodes is forbidden", response=httpx.Response(403)),
    ],
    ids=["no answer", "no right to see nodes"],
)
def test_an_up_does_not_fail_because_nobody_says_where_the_workers_are(
    monkeypatch: pytest.MonkeyPatch, of_nodes: Exception
) -> None:
    (line,) = asked(monkeypatch, of_nodes=of_nodes)

    assert "is not known" in line
