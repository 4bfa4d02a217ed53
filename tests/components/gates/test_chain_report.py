"""Unit: what an `up` says of where the workers of a chain came up."""

from typing import Any

from components.gates.chain_report import lines

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
