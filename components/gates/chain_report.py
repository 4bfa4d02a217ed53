"""Where the workers of chains came up, said at the end of an `up`: no preview can know it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import kr8s

from components.gates.namespace_api import NamespaceApi, UnansweredError
from daskfleet.contract.dask import CLUSTER_LABEL, COMPONENT_LABEL, GROUP_LABEL
from daskfleet.contract.nodes import POOL_LABEL
from daskfleet.pod_status import KubernetesObject
from manifests.kubeconfig import Kubeconfig

Chains = Mapping[str, tuple[str, ...]]
"""GKE's names of a group's pools, the most wanted first, by the group's DaskWorkerGroup."""


async def chain_report(
    kubeconfig: Kubeconfig, *, namespace: str, cluster: str, chains: Chains
) -> tuple[str, ...]:
    """Read where the workers are, and say it.

    That nobody may or can say it is no failure: the workers are ready by then.
    """
    api = await NamespaceApi.connect(kubeconfig, namespace=namespace)
    labels = {CLUSTER_LABEL: cluster, COMPONENT_LABEL: "worker"}
    try:
        pods = await api.labelled("v1", "pods", **labels)
        nodes = await api.nodes()
    except (UnansweredError, kr8s.ServerError) as error:
        return (f"on which pools the workers run is not known: {error}",)
    return tuple(lines(chains, pods=pods, nodes=nodes))


def lines(
    chains: Chains, *, pods: Iterable[KubernetesObject], nodes: Iterable[KubernetesObject]
) -> Iterator[str]:
    """One line for each group: how many workers each pool of its chain carries."""
    pool_of = {
        node["metadata"]["name"]: node["metadata"].get("labels", {}).get(POOL_LABEL, "")
        for node in nodes
    }
    carried = Counter(
        (pod["metadata"]["labels"].get(GROUP_LABEL), pool_of.get(pod["spec"].get("nodeName", "")))
        for pod in pods
    )
    for group, pools in chains.items():
        counts = ", ".join(f"{carried[group, pool]} on {pool}" for pool in pools)
        yield f"workers of {group}: {counts}"
