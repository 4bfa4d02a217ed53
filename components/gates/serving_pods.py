"""What serves a team while another cluster of it comes up: room that a roll needs besides."""

import asyncio

from components.gates.dask_cluster_api import clusters_present
from components.gates.namespace_api import NamespaceApi, UnansweredError
from daskfleet.contract.dask import CLUSTER_LABEL
from daskfleet.contract.nodes import GPU_RESOURCE
from daskfleet.planning.plan import PodResources
from daskfleet.pod_status import KubernetesObject
from manifests.dask_pod import cores_of, gib_of
from manifests.kubeconfig import Kubeconfig

ENDED = frozenset({"Succeeded", "Failed"})
"""Phases of pods that no ResourceQuota counts."""

TRIES = 5
PAUSE_S = 2
"""Between two questions to an API server that does not answer."""


async def serving_pods(
    kubeconfig: Kubeconfig, *, namespace: str, declared: str
) -> tuple[PodResources, ...]:
    """Return the pods of the cluster that serves the team, unless it is the declared one.

    Where nobody answers there are none: the quota is as declared then, and the gate, which waits
    for the pods, says what was refused.
    """
    api = await NamespaceApi.connect(kubeconfig, namespace=namespace)
    for _ in range(TRIES):
        try:
            serving = (await clusters_present(api)).serving_beside(declared)
            if serving is None:
                return ()
            pods = await api.labelled("v1", "pods", **{CLUSTER_LABEL: serving})
        except UnansweredError:
            await asyncio.sleep(PAUSE_S)
            continue
        return tuple(map(_asked, filter(_counts, pods)))
    return ()


def _counts(pod: KubernetesObject) -> bool:
    return pod.get("status", {}).get("phase") not in ENDED


def _asked(pod: KubernetesObject) -> PodResources:
    requests = [each.get("resources", {}).get("requests", {}) for each in pod["spec"]["containers"]]
    return PodResources(
        cpu=sum(cores_of(each.get("cpu", "0")) for each in requests),
        memory_gib=sum(gib_of(each.get("memory", "0Gi")) for each in requests),
        gpus=sum(int(each.get(GPU_RESOURCE, 0)) for each in requests),
    )
