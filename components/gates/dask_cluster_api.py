"""A team's Dask clusters as the Kubernetes API shows them, and the little that is written there."""

from components.gates.namespace_api import NamespaceApi, NotFoundError, UnansweredError
from components.gates.node_driver import INSTALLER_LABELS, drivers_by_node
from components.gates.readiness import HANDLER_PROGRESS, Observed
from components.gates.scheduler_answers import Idle
from daskfleet.contract.dask import (
    CLUSTER_LABEL,
    COMPONENT_LABEL,
    DASHBOARD_PORT,
    DASK_API,
    PART_OF,
    PART_OF_LABEL,
    SERVICE_NAME,
)
from daskfleet.contract.nodes import INSTALLER_NAMESPACE
from daskfleet.pod_status import KubernetesObject, is_ready
from in_cluster.idle_controller.note import NO_NOTE, asleep
from manifests.dask_generation import Present

CHILD_KINDS = {
    "Deployment": ("apps/v1", "deployments"),
    "Service": ("v1", "services"),
    "DaskWorkerGroup": (DASK_API, "daskworkergroups"),
}


class ClusterGoneError(Exception):
    """There is no such DaskCluster."""


async def clusters_present(api: NamespaceApi) -> Present:
    """Read which DaskClusters of this program there are, and which of them the team uses.

    Raises ``UnansweredError``.
    """
    try:
        service = await api.request("GET", "v1", f"services/{SERVICE_NAME}")
        selected = service["spec"].get("selector", {}).get(CLUSTER_LABEL)
    except NotFoundError:
        selected = None
    clusters = await api.labelled(DASK_API, "daskclusters", **{PART_OF_LABEL: PART_OF})
    return Present(
        names=frozenset(cluster["metadata"]["name"] for cluster in clusters), selected=selected
    )


class DaskClusterApi:
    """Reads and steers the DaskCluster ``name``."""

    def __init__(self, api: NamespaceApi, *, name: str) -> None:
        self._api = api
        self._name = name

    async def observe(self) -> Observed:
        """Read everything that readiness depends on.

        Raises ``ClusterGoneError``, and ``UnansweredError`` when a second try may help.
        """
        cluster = await self._request("GET")
        children = {
            kind: await self._labelled(version, plural)
            for kind, (version, plural) in CHILD_KINDS.items()
        }
        events = await self._api.request("GET", "v1", "events")
        installers = await self._api.elsewhere(INSTALLER_NAMESPACE).labelled(
            "v1", "pods", **INSTALLER_LABELS
        )
        return Observed(
            cluster=cluster,
            children=frozenset(
                f"{kind}/{child['metadata']['name']}"
                for kind, of_kind in children.items()
                for child in of_kind
            ),
            deployments=children["Deployment"],
            pods=await self._labelled("v1", "pods"),
            events=tuple(events["items"]),
            drivers=drivers_by_node(installers),
            asleep=next(
                (
                    asleep(group)
                    for group in children["DaskWorkerGroup"]
                    if group["metadata"]["name"] == self._default_group
                ),
                None,
            ),
        )

    async def set_phase(self, phase: str) -> None:
        """Write ``status.phase``, which is no subresource here, and forget what failed before.

        Raises as ``observe`` does.
        """
        await self._request(
            "PATCH",
            json={
                "status": {"phase": phase},
                "metadata": {"annotations": {HANDLER_PROGRESS: None}},
            },
            headers={"Content-Type": "application/merge-patch+json"},
        )

    async def wake(self, workers: int) -> None:
        """Bring sleeping workers back, as the idle controller would have.

        Raises as ``observe`` does.
        """
        try:
            await self._api.request(
                "PATCH",
                DASK_API,
                f"daskworkergroups/{self._default_group}",
                json={
                    "metadata": {"annotations": dict(NO_NOTE)},
                    "spec": {"worker": {"replicas": workers}},
                },
                headers={"Content-Type": "application/merge-patch+json"},
            )
        except NotFoundError as error:
            raise UnansweredError(str(error)) from error

    async def delete(self) -> None:
        """Ask for the deletion, which ends when the last pod has gone and its GPU is free.

        Raises as ``observe`` does.
        """
        await self._request("DELETE", json={"propagationPolicy": "Foreground"})

    async def is_idle(self) -> bool:
        """Ask the scheduler whether it has nothing to do.

        It is not idle at the first look after a task has ended, only at the next
        (distributed, ``Scheduler.check_idle``). Results that clients hold do not count.

        Raises ``ClusterGoneError``, and ``UnansweredError`` with the reason why it cannot be asked.
        """
        await self._request("GET")
        schedulers = await self._labelled("v1", "pods", **{COMPONENT_LABEL: "scheduler"})
        pod = next((pod for pod in schedulers if is_ready(pod)), None)
        if pod is None:
            raise UnansweredError(f"{self._name} has no ready scheduler pod")
        host = f"{self._name}-scheduler.{self._api.namespace}"
        answer = await self._api.ask_pod(
            pod["metadata"]["name"],
            f"http://{host}:{DASHBOARD_PORT}/api/v1/check_idle",
            answers=Idle,
        )
        return bool(answer.idle_since)

    @property
    def _default_group(self) -> str:
        return f"{self._name}-default"

    async def _labelled(
        self, version: str, plural: str, **labels: str
    ) -> tuple[KubernetesObject, ...]:
        return await self._api.labelled(version, plural, **{CLUSTER_LABEL: self._name, **labels})

    async def _request(self, method: str, **arguments: object) -> KubernetesObject:
        try:
            return await self._api.request(
                method, DASK_API, f"daskclusters/{self._name}", **arguments
            )
        except NotFoundError as error:
            raise ClusterGoneError(str(error)) from error
