"""The end of a team's adaptivity: from now on the stack file says how many workers there are.

Pulumi deletes the DaskAutoscaler at the very end of an ``up``, after the gate; until then it would
move the workers under the gate's eyes. And where the DaskCluster already says the declared number,
as it does when it was made with it, no change tells the operator to return to it.
"""

import asyncio
import time
from collections.abc import Callable

from components.gates.namespace_api import NamespaceApi, NotFoundError, UnansweredError
from daskfleet.contract.dask import CLUSTER_LABEL, DASK_API, PART_OF, PART_OF_LABEL
from daskfleet.pod_status import KubernetesObject

MERGE_PATCH = {"Content-Type": "application/merge-patch+json"}
SETTLE_S = 2
"""Between a change and the look at what became of it. No watch cuts it short: the operator, which
asks the scheduler in between, may still write a number that it thought of before the change."""


async def end_adaptivity(
    api: NamespaceApi, *, cluster: str, workers: int, deadline: float, report: Callable[[str], None]
) -> None:
    """Return when no DaskAutoscaler of this program moves the cluster's workers any more.

    First it is told to hold the declared number, and goes when the group has it: an ``up`` that
    ends in between leaves nothing that the next one does not find. After the ``deadline`` the gate
    tells what is missing.
    """
    while True:
        try:
            if await _is_over(api, cluster=cluster, workers=workers):
                return
            news = f"is adaptive no more: its DaskAutoscaler goes once the workers are {workers}"
        except (UnansweredError, NotFoundError) as error:
            news = f"cannot be read: {error}"
        if time.monotonic() > deadline:
            return
        report(f"DaskCluster {cluster} {news}")
        await asyncio.sleep(SETTLE_S)


async def _is_over(api: NamespaceApi, *, cluster: str, workers: int) -> bool:
    autoscalers = await api.labelled(
        DASK_API, "daskautoscalers", **{PART_OF_LABEL: PART_OF, CLUSTER_LABEL: cluster}
    )
    left = [each for each in autoscalers if "deletionTimestamp" not in each["metadata"]]
    if not left:
        return True
    group = f"daskworkergroups/{cluster}-default"
    is_settled = _size(await api.request("GET", DASK_API, group)) == workers
    for each in left:
        path = f"daskautoscalers/{each['metadata']['name']}"
        held = {"minimum": workers, "maximum": workers}
        if {key: each["spec"].get(key) for key in held} != held:
            await _patch(api, path, {"spec": held})
        elif is_settled:
            await api.request("DELETE", DASK_API, path)
    if not is_settled:
        await _patch(api, group, {"spec": {"worker": {"replicas": workers}}})
    return False


def _size(group: KubernetesObject) -> int:
    return int(group["spec"]["worker"]["replicas"])


async def _patch(api: NamespaceApi, path: str, change: KubernetesObject) -> None:
    await api.request("PATCH", DASK_API, path, json=change, headers=MERGE_PATCH)
