"""Make a group of workers smaller, before the operator hears of it.

The operator counts a group's Deployments when the number changes. When there are no more than the
new number it has nothing to do, so whoever deletes the right ones beforehand decides which go.
"""

import time
from collections.abc import Callable

from components.gates.namespace_api import NamespaceApi, NotFoundError, UnansweredError
from components.gates.namespace_watch import LOOK_EVERY_S, NamespaceWatch
from components.gates.retirement import addresses_of, surplus_workers
from components.gates.scheduler_answers import Retired, Workers
from daskfleet.contract.dask import CLUSTER_LABEL, COMPONENT_LABEL, DASHBOARD_PORT, GROUP_LABEL
from daskfleet.pod_status import KubernetesObject
from manifests.kubeconfig import Kubeconfig

NO_SCHEDULER: dict[str, str] = {}
"""Workers by name where no scheduler runs: it would be what knows of results."""


class NotRetiredError(Exception):
    """A group has more workers than declared; the text says why they do not go."""


async def retire_surplus(
    *,
    kubeconfig: Kubeconfig,
    namespace: str,
    cluster: str,
    group: str,
    declared: int,
    timeout_s: float,
    report: Callable[[str], None],
) -> None:
    """Return when the DaskWorkerGroup ``group`` has no more workers than declared.

    Each worker that goes hands over what it alone holds. Nothing but a look happens when there are
    not too many. Interrupted anywhere, the next call goes on. Raises ``NotRetiredError``.
    """
    api = await NamespaceApi.connect(kubeconfig, namespace=namespace)
    deadline = time.monotonic() + timeout_s
    reason = ""
    of_group = {GROUP_LABEL: group}
    # It tells when the Deployments have gone. The scheduler, which cannot be watched, is asked to
    # retire what it kept whenever there is a look, at least every LOOK_EVERY_S.
    async with NamespaceWatch(api, "apps/v1", "deployments", **of_group) as watch:
        while True:
            try:
                deployments = await api.labelled("apps/v1", "deployments", **of_group)
                if len(deployments) <= declared:
                    return
                report(f"{group}: {len(deployments)} workers become {declared}")
                reason = await _retire(
                    api,
                    deployments,
                    cluster=cluster,
                    declared=declared,
                    timeout_s=max(LOOK_EVERY_S, deadline - time.monotonic()),
                )
            except UnansweredError as error:
                reason = str(error)
            if time.monotonic() > deadline:
                raise NotRetiredError(f"{group} keeps workers beyond {declared}: {reason}")
            await watch.change()


async def _retire(
    api: NamespaceApi,
    deployments: tuple[KubernetesObject, ...],
    *,
    cluster: str,
    declared: int,
    timeout_s: float,
) -> str:
    """Let the surplus hand over and delete it; return why some of it is still there."""
    scheduler = await _running_scheduler(api, cluster)
    base = f"http://{cluster}-scheduler.{api.namespace}:{DASHBOARD_PORT}/api/v1"
    workers = await _workers(api, scheduler, base) if scheduler else NO_SCHEDULER
    surplus = surplus_workers(deployments, declared=declared, connected=workers)
    done: set[str] = set()
    if scheduler and surplus.connected:
        retired = await api.ask_pod(
            scheduler,
            f"{base}/retire_workers",
            answers=Retired,
            body={"workers": addresses_of(surplus.connected, workers=workers)},
            timeout_s=timeout_s,
        )
        done = retired.names()
    for name in (*surplus.unknown, *(name for name in surplus.connected if name in done)):
        await _delete(api, name)
    kept = [name for name in surplus.connected if name not in done]
    if kept:
        return f"no other worker takes what {', '.join(kept)} hold"
    return "their Deployments are still being deleted"


async def _running_scheduler(api: NamespaceApi, cluster: str) -> str | None:
    """Return the pod of a scheduler that runs; without one there is no result to save."""
    pods = await api.labelled(
        "v1", "pods", **{CLUSTER_LABEL: cluster, COMPONENT_LABEL: "scheduler"}
    )
    return next(
        (
            pod["metadata"]["name"]
            for pod in pods
            for container in pod.get("status", {}).get("containerStatuses") or ()
            if "running" in container.get("state", {})
        ),
        None,
    )


async def _workers(api: NamespaceApi, scheduler: str, base: str) -> dict[str, str]:
    """Return the addresses of the workers that the scheduler knows, by their names."""
    answer = await api.ask_pod(scheduler, f"{base}/get_workers", answers=Workers)
    return answer.addresses()


async def _delete(api: NamespaceApi, name: str) -> None:
    """Delete a worker's Deployment at once: while it is on its way out the operator counts it."""
    try:
        await api.request(
            "DELETE", "apps/v1", f"deployments/{name}", json={"propagationPolicy": "Background"}
        )
    except NotFoundError:
        return
