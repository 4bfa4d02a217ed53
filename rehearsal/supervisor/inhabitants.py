"""What runs in one cluster: the operator, and in mode ``run`` the processes of Dask's pods."""

import asyncio
import logging
from dataclasses import dataclass, field

from rehearsal.control_plane import ControlPlane, DaskMode
from rehearsal.dask_operator.scheduler_api import DaskSchedulerApi
from rehearsal.dask_operator.schedulers import RealSchedulers, Schedulers
from rehearsal.dask_pods.agent import NodeAgent
from rehearsal.dask_pods.cluster_names import finds_services_by
from rehearsal.dask_pods.pod_api import PodApi
from rehearsal.supervisor.operator_watch import OperatorWatch
from rehearsal.supervisor.record import DaskRecord
from rehearsal.workspace import Workspace

LOG = logging.getLogger(__name__)


@dataclass(kw_only=True)
class Inhabitants:
    """The processes of one cluster's pods."""

    operator: OperatorWatch
    agent: NodeAgent | None
    _following: asyncio.Task[None] | None = field(default=None, init=False)

    @property
    def dask_record(self) -> DaskRecord | None:
        """What there is to say of the Dask pods that run."""
        return DaskRecord(departures=self.agent.departures) if self.agent else None

    async def look(self) -> None:
        """Let the operator be where its pod is; the agent looks for itself from now on."""
        if self.agent is not None and self._following is None:
            self._following = asyncio.create_task(self.agent.run(), name="node agent")
        if self._following is not None and self._following.done():
            self._following.result()  # ended by itself: raises what ended it
        await self.operator.look()

    async def stop(self) -> None:
        """End all of it, because the cluster is gone or the rehearsal ends."""
        if self._following is not None:
            self._following.cancel()
            await asyncio.wait([self._following])
        await self.operator.stop()
        if self.agent is not None:
            await self.agent.stop()


def inhabitants_of(
    name: str, control_plane: ControlPlane, *, workspace: Workspace, dask: DaskMode
) -> Inhabitants:
    """Return who is to live in a cluster; nobody does yet."""
    kubeconfig = control_plane.admin_kubeconfig
    agent = None
    schedulers: Schedulers = DaskSchedulerApi(kubeconfig, port=control_plane.dask_schedulers_port)
    if dask == "run":
        agent = NodeAgent(PodApi(kubeconfig), directory=workspace.dask_pods_dir / name)
        schedulers = RealSchedulers(found_by=finds_services_by(agent.operators_hosts_file))
    operator = OperatorWatch(
        admin_kubeconfig=kubeconfig,
        directory=workspace.clusters_dir / name,
        log_file=workspace.logs_dir / f"operator-{name}.log",
        schedulers=schedulers,
    )
    return Inhabitants(operator=operator, agent=agent)
