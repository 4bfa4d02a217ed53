"""One look at a team: its namespace as the API server has it, and its scheduler."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import kr8s.asyncio

from daskfleet.access.declared_fleet import team_in
from daskfleet.access.errors import AccessError
from daskfleet.access.fleet import REQUEST_TIMEOUT_S, Fleet, fleet_of
from daskfleet.access.kubeconfig import Kubeconfig
from daskfleet.access.kubernetes_api import connected
from daskfleet.access.pod_http import UnansweredError
from daskfleet.access.service_target import target_of
from daskfleet.contract.dask import CLUSTER_LABEL, COMPONENT_LABEL, DASK_API
from daskfleet.contract.declared import DeclaredTeam
from daskfleet.pod_status import KubernetesObject, label
from daskfleet.team.status.ask_dask import ask_dask
from daskfleet.team.status.assess import assess
from daskfleet.team.status.model import Report
from daskfleet.team.status.observed import Observed
from daskfleet.team.status.pods import SCHEDULER
from daskfleet.team.status.reader import Reader

MOST_OBJECTS = 1000
"""Of one kind; a namespace's quota lets it have fewer pods, and events end after an hour."""


class StatusError(Exception):
    """Nothing can be said; the message says why, and what to do."""


def look(
    project_dir: Path,
    *,
    stack: str | None,
    team: str,
    show: Callable[[Report], None],
    again_after_s: float | None = None,
) -> None:
    """Look at a team and show it; once, or again and again.

    Raises:
        StatusError: the team is not known, or its fleet cannot be reached.

    """
    try:
        fleet = fleet_of(project_dir, stack=stack, team=team)
        declared = team_in(fleet.declared, team)
        asyncio.run(_looks(fleet, declared, name=team, show=show, again_after_s=again_after_s))
    except AccessError as error:
        raise StatusError(str(error)) from error


async def _looks(
    fleet: Fleet,
    team: DeclaredTeam,
    *,
    name: str,
    show: Callable[[Report], None],
    again_after_s: float | None,
) -> None:
    async def once(api: kr8s.asyncio.Api) -> None:
        observed = await observe(api, team)
        now = datetime.now(tz=UTC)
        show(assess(team, observed, name=name, stack=fleet.stack, at=now))

    await keep_looking(fleet.kubeconfig, once, again_after_s=again_after_s)


async def keep_looking(
    kubeconfig: Kubeconfig,
    look_once: Callable[[kr8s.asyncio.Api], Awaitable[None]],
    *,
    again_after_s: float | None,
) -> None:
    """Connect and look; once, or again and again until cancelled."""
    async with connected(kubeconfig, request_timeout_s=REQUEST_TIMEOUT_S) as api:
        while True:
            await look_once(api)
            if again_after_s is None:
                return
            await asyncio.sleep(again_after_s)


async def observe(api: kr8s.asyncio.Api, team: DeclaredTeam) -> Observed:
    """Read all there is; what cannot be read hides nothing else."""
    reader = Reader(api, namespace=team.namespace, most_objects=MOST_OBJECTS)
    observed = Observed(
        pods=await reader.all_of("v1", "pods", "pods"),
        events=await reader.all_of(
            "v1", "events", "events (messages of the autoscaler and of quotas)"
        ),
        clusters=await reader.all_of(DASK_API, "daskclusters", "DaskClusters"),
        groups=await reader.all_of(DASK_API, "daskworkergroups", "how many workers are wanted"),
        quotas=await reader.all_of("v1", "resourcequotas", "quotas"),
    )
    observed = replace(observed, not_known=tuple(reader.not_known))
    return await _with_dask(api, team, observed)


async def _with_dask(api: kr8s.asyncio.Api, team: DeclaredTeam, observed: Observed) -> Observed:
    scheduler = target_of(_schedulers(observed.pods or (), team.dask_cluster)).pod
    why = "no scheduler pod is ready"
    if scheduler is not None:
        try:
            dask = await ask_dask(
                api, namespace=team.namespace, pod=scheduler, port=team.dashboard_port
            )
            return replace(observed, dask=dask)
        except UnansweredError as error:
            why = str(error)
    said = f"clients and tasks of {team.dask_cluster}: {why}"
    return replace(observed, not_known=(*observed.not_known, said))


def _schedulers(pods: Iterable[KubernetesObject], cluster: str) -> list[KubernetesObject]:
    return [
        pod
        for pod in pods
        if label(pod, CLUSTER_LABEL) == cluster and label(pod, COMPONENT_LABEL) == SCHEDULER
    ]
