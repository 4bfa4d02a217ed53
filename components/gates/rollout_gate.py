"""The gate of ``up``: let a team's declared Dask cluster take over from those before it."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from components.gates.adaptivity_end import end_adaptivity
from components.gates.dask_cluster_api import ClusterGoneError, DaskClusterApi, clusters_present
from components.gates.namespace_api import NamespaceApi, UnansweredError
from components.gates.namespace_watch import NamespaceWatch
from components.gates.paced_report import PacedReport
from components.gates.readiness import CREATE_COMPONENTS, Declared
from components.gates.readiness_gate import RELEASED, NotReadyError, wait_until_ready
from daskfleet.contract.dask import DASK_API, PART_OF, PART_OF_LABEL
from daskfleet.settings.team import Rollout
from manifests.dask_generation import Present
from manifests.kubeconfig import Kubeconfig

ASK_AGAIN_S = 2
"""Who cannot be watched is asked: an API server that does not answer, and Dask's scheduler, which
tells over HTTP whether it is idle. It is when nothing has moved between two questions; closer
together they would take the pause between two tasks for the end of the work."""

PATIENCE = "a new GPU node and a first pull take 9 to 17 minutes"

EXCEEDED_QUOTA = "exceeded quota"
"""What the API server says of a pod beyond a ResourceQuota."""

IN_THE_QUOTA = (
    " The team's quotas hold the declared cluster beside what served when this `up` began. Workers "
    "that came since, or other pods of the namespace, take what is missing: `kubectl describe "
    "resourcequotas` says what is used, and `pulumi up` looks again."
)

Report = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Reports:
    """Who is told what."""

    progress: Report
    """What is waited for; the next line replaces it."""

    warning: Report
    """What somebody should know afterwards."""


async def take_over(
    *,
    kubeconfig: Kubeconfig,
    declared: Declared,
    rollout: Rollout,
    timeout_s: float,
    reports: Reports,
) -> None:
    """Return when the team's address may lead to the declared cluster.

    Clusters that nobody uses go first, because they hold GPUs. Then the declared one must become
    ready, both within ``timeout_s``; and then the one that serves has ``wait_idle_s`` to become
    idle. Nothing but waiting happens when the declared cluster is the only one.

    Raises ``NotReadyError``; what serves then goes on serving.
    """
    api = await NamespaceApi.connect(kubeconfig, namespace=declared.namespace)
    deadline = time.monotonic() + timeout_s
    present = await _present(api, deadline=deadline)
    for name in present.in_the_way_of(declared.name, kind=rollout.kind):
        await _remove(api, name, deadline=deadline, report=reports.progress)
    if not declared.is_adaptive:
        await end_adaptivity(
            api,
            cluster=declared.name,
            workers=declared.workers,
            deadline=deadline,
            report=reports.progress,
        )
    serving = present.serving_beside(declared.name) if rollout.kind == "blue-green" else None
    try:
        await wait_until_ready(
            api,
            declared,
            timeout_s=max(0.0, deadline - time.monotonic()),
            report=lambda line: reports.progress(f"{line} ({PATIENCE})"),
        )
    except NotReadyError as error:
        if serving is None:
            raise
        hint = IN_THE_QUOTA if EXCEEDED_QUOTA in str(error) else ""
        raise NotReadyError(
            f"{error}\nDaskCluster {serving} goes on serving the team.{hint}"
        ) from error
    if serving is not None and rollout.wait_idle_s:
        await _wait_until_idle(api, serving, wait_idle_s=rollout.wait_idle_s, reports=reports)


async def _present(api: NamespaceApi, *, deadline: float) -> Present:
    while True:
        try:
            return await clusters_present(api)
        except UnansweredError as error:
            if time.monotonic() > deadline:
                raise NotReadyError(
                    f"namespace {api.namespace}: the Kubernetes API does not answer: {error}"
                ) from error
        await asyncio.sleep(ASK_AGAIN_S)


async def _remove(api: NamespaceApi, name: str, *, deadline: float, report: Report) -> None:
    """Delete a cluster that nobody uses, and wait until its pods have gone.

    Pulumi deletes it from its state at the end, and is content when it has gone already. A cluster
    that the operator cannot create is first taken off its hands; see ``readiness_gate``.
    """
    cluster = DaskClusterApi(api, name=name)
    report(f"DaskCluster {name} of an earlier roll is deleted: nobody uses it, and it holds GPUs")
    reason = "it is still there"
    of_program = {PART_OF_LABEL: PART_OF}
    async with NamespaceWatch(api, DASK_API, "daskclusters", **of_program) as clusters:
        while time.monotonic() <= deadline:
            try:
                seen = (await cluster.observe()).cluster
                if seen.get("status", {}).get("phase") in {None, "", CREATE_COMPONENTS}:
                    await cluster.set_phase(RELEASED)
                if "deletionTimestamp" not in seen["metadata"]:
                    await cluster.delete()
            except ClusterGoneError:
                return
            except UnansweredError as error:
                reason = f"the Kubernetes API does not answer: {error}"
            await clusters.change()
    raise NotReadyError(
        f"DaskCluster {name} of an earlier roll is in the way and is not deleted: {reason}. "
        f"Deletion "
        f"needs the Dask operator; see `kubectl describe --namespace {api.namespace} "
        f"daskcluster {name}`."
    )


async def _wait_until_idle(
    api: NamespaceApi, serving: str, *, wait_idle_s: float, reports: Reports
) -> None:
    cluster = DaskClusterApi(api, name=serving)
    started = time.monotonic()
    paced = PacedReport(reports.progress)
    while True:
        try:
            if await cluster.is_idle():
                return
            reason = "is at work"
        except ClusterGoneError:
            return
        except UnansweredError as error:
            reason = f"cannot be asked whether it is idle ({error})"
        elapsed_s = time.monotonic() - started
        if elapsed_s > wait_idle_s:
            reports.warning(
                f"The scheduler of {serving} {reason}. The address moves all the same, after "
                f"{wait_idle_s:.0f} s (rollout.wait_idle_s): what it is doing is lost."
            )
            return
        paced.tell(
            f"ready; {elapsed_s:.0f} of at most {wait_idle_s:.0f} s for the scheduler of "
            f"{serving}, which {reason}",
            subject=reason,
            elapsed_s=elapsed_s,
        )
        await asyncio.sleep(min(ASK_AGAIN_S, wait_idle_s))
