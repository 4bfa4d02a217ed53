"""A Dask cluster of a member's own at the API server: made, scaled, and gone in the end."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import kr8s
import kr8s.asyncio

from daskfleet.access.errors import AccessError, words_of
from daskfleet.access.kubernetes_api import status_of
from daskfleet.access.own_cluster_bounds import Wanted, checked
from daskfleet.access.own_cluster_spec import chosen_spec, read_spec
from daskfleet.access.sleep import first_group
from daskfleet.client.held_tunnel import Lent
from daskfleet.client.way import require_distributed
from daskfleet.contract.dask import DASK_API
from daskfleet.contract.declared import DeclaredTeam

CLUSTERS = "daskclusters"
AUTOSCALERS = "daskautoscalers"
MERGE = {"Content-Type": "application/merge-patch+json"}
FOREGROUND = {"propagationPolicy": "Foreground"}
"""The cluster is there until its pods are gone: then their room is free."""
GONE = {httpx.codes.NOT_FOUND, httpx.codes.CONFLICT}
"""The statuses of a deletion if there is no such object, or another one with that name."""


def own_cluster(wanted: Wanted) -> Lent:
    """Return what makes a cluster on the team's template, and deletes it in the end."""

    @asynccontextmanager
    async def lent(api: kr8s.asyncio.Api, team: DeclaredTeam) -> AsyncIterator[DeclaredTeam]:
        require_distributed(team)
        own = checked(team.own_clusters, team=team.namespace, wanted=wanted)
        name = wanted.name or own.spec_name
        spec = chosen_spec(
            await read_spec(api, own, team=team.namespace),
            was_called=own.spec_name,
            name=name,
            workers=wanted.workers,
            idle_timeout_s=wanted.idle_timeout_s,
        )
        made = await _ask(api, "POST", CLUSTERS, team, json=spec)
        try:
            yield as_own(team, name, workers=wanted.workers)
        finally:
            # By then it may have gone for want of work, and a colleague may have taken its name.
            this = {**FOREGROUND, "preconditions": {"uid": made["metadata"]["uid"]}}
            await _ask(api, "DELETE", f"{CLUSTERS}/{name}", team, may_be_gone=True, json=this)

    return lent


def as_own(team: DeclaredTeam, name: str, *, workers: int) -> DeclaredTeam:
    """Pure: what is declared of the fixed cluster, as it is of one's own.

    The operator calls the Service after the cluster.
    """
    host = f"{name}-scheduler.{team.namespace}"
    return team.model_copy(
        update={
            "dask_cluster": name,
            "address": f"{team.scheme}://{host}:{team.scheduler_port}",
            "dashboard": f"http://{host}:{team.dashboard_port}/status",
            "workers": workers,
            "most_workers": None,
            "groups": {},
            "sleep": None,
        }
    )


async def scale(api: kr8s.asyncio.Api, own: DeclaredTeam, workers: int) -> None:
    """Ask for so many workers, and for no bounds any more.

    Raises:
        AccessError: the API server refuses it.

    """
    await _ask(api, "DELETE", f"{AUTOSCALERS}/{own.dask_cluster}", own, may_be_gone=True)
    change = {"spec": {"worker": {"replicas": workers}}}
    await _ask(api, "PATCH", first_group(own), own, json=change, headers=MERGE)


async def adapt(api: kr8s.asyncio.Api, own: DeclaredTeam, *, minimum: int, maximum: int) -> None:
    """Let the operator ask for as many workers as there is work for, within bounds.

    Raises:
        AccessError: the API server refuses it.

    """
    name = own.dask_cluster
    spec = {"cluster": name, "minimum": minimum, "maximum": maximum}
    made = {
        "apiVersion": DASK_API,
        "kind": "DaskAutoscaler",
        "metadata": {"name": name},
        "spec": spec,
    }
    await _ask(api, "DELETE", f"{AUTOSCALERS}/{name}", own, may_be_gone=True)
    await _ask(api, "POST", AUTOSCALERS, own, json=made)


async def _ask(
    api: kr8s.asyncio.Api,
    method: str,
    url: str,
    team: DeclaredTeam,
    *,
    may_be_gone: bool = False,
    **arguments: Any,
) -> dict[str, Any]:
    """Return what the API server answers; nothing where it ``may_be_gone``, and is."""
    try:
        async with api.call_api(
            method, version=DASK_API, url=url, namespace=team.namespace, **arguments
        ) as response:
            answer: dict[str, Any] = response.json()
            return answer
    except kr8s.ServerError as error:
        status = status_of(error)
        if may_be_gone and status in GONE:
            return {}
        raise AccessError(
            f"The cluster refuses this of team {team.namespace} ({status}): {error}. What a member "
            "may choose of an own cluster: docs/ephemeral.md."
        ) from error
    except (httpx.HTTPError, kr8s.APITimeoutError) as error:
        raise AccessError(
            f"The Kubernetes API does not answer ({words_of(error)}). Try again."
        ) from error
