"""What runs in one cluster: the operator, disks, and in mode ``run`` the processes of pods."""

import asyncio
import logging
from dataclasses import dataclass, field

from rehearsal.control_plane import ControlPlane, DaskMode
from rehearsal.dask_operator.scheduler_api import DaskSchedulerApi
from rehearsal.dask_operator.schedulers import RealSchedulers, Schedulers
from rehearsal.dask_pods.agent import NodeAgent
from rehearsal.dask_pods.cluster_names import finds_services_by
from rehearsal.dask_pods.pod_api import PodApi
from rehearsal.disks import DiskProvisioner
from rehearsal.kubernetes_changes import Changes
from rehearsal.supervisor.operator_watch import OperatorWatch
from rehearsal.supervisor.record import DaskRecord
from rehearsal.workspace import Workspace

LOG = logging.getLogger(__name__)


@dataclass(kw_only=True)
class ClusterProcesses:
    """The processes of one cluster's pods."""

    operator: OperatorWatch
    disks: DiskProvisioner
    agent: NodeAgent | None
    changes: Changes
    _following: tuple[asyncio.Task[None], ...] = field(default=(), init=False)

    @property
    def dask_record(self) -> DaskRecord | None:
        """What there is to say of the Dask pods that run."""
        return DaskRecord(departures=self.agent.departures) if self.agent else None

    async def look(self) -> None:
        """Let the operator be where its pod is; the others look for themselves from now on."""
        if not self._following:
            runs = [self.changes.follow(), self.disks.run()]
            if self.agent is not None:
                runs.append(self.agent.run())
            self._following = tuple(asyncio.create_task(run) for run in runs)
        for task in self._following:
            if task.done():
                task.result()  # ended by itself: raises what ended it
        await self.operator.look()

    async def stop(self) -> None:
        """End all of it, because the cluster is gone or the rehearsal ends."""
        for task in self._following:
            task.cancel()
        if self._following:
            await asyncio.wait(self._following)
        await self.operator.stop()
        if self.agent is not None:
            await self.agent.stop()


def cluster_processes(
    name: str, control_plane: ControlPlane, *, workspace: Workspace, dask: DaskMode
) -> ClusterProcesses:
    """Return the processes of a cluster; none of them runs yet."""
    kubeconfig = control_plane.admin_kubeconfig
    changes = Changes(kubeconfig, _followed(dask))
    agent = None
    schedulers: Schedulers = DaskSchedulerApi(kubeconfig, port=control_plane.dask_schedulers_port)
    if dask == "run":
        agent = NodeAgent(
            PodApi(kubeconfig, shares=workspace.disks_dir / name / "shares"),
            changes=changes,
            directory=workspace.dask_pods_dir / name,
        )
        schedulers = RealSchedulers(found_by=finds_services_by(agent.operators_hosts_file))
    operator = OperatorWatch(
        admin_kubeconfig=kubeconfig,
        changes=changes,
        directory=workspace.clusters_dir / name,
        log_file=workspace.logs_dir / f"operator-{name}.log",
        schedulers=schedulers,
    )
    disks = DiskProvisioner(kubeconfig, changes=changes, directory=workspace.disks_dir / name)
    return ClusterProcesses(operator=operator, disks=disks, agent=agent, changes=changes)


def _followed(dask: DaskMode) -> dict[str, str]:
    of_agent = NodeAgent.FOLLOWED if dask == "run" else {}
    return {**OperatorWatch.FOLLOWED, **DiskProvisioner.FOLLOWED, **of_agent}
