"""Asking for a team's declared workers, with the right that the team's members have."""

import asyncio
from pathlib import Path

import kr8s.asyncio

from daskfleet.access.declared_fleet import team_in
from daskfleet.access.errors import AccessError
from daskfleet.access.fleet import REQUEST_TIMEOUT_S, fleet_of
from daskfleet.access.kubeconfig import Kubeconfig
from daskfleet.access.kubernetes_api import connected
from daskfleet.access.sleep import first_group, sleep_note
from daskfleet.contract.dask import DASK_API
from daskfleet.contract.declared import DeclaredTeam


class WakeError(Exception):
    """The team cannot be woken; the text says why, and the next step."""


def rouse(project_dir: Path, stack: str | None, team: str) -> str:
    """Ask for the declared workers where they sleep; return what was done, as a sentence.

    Raises:
        WakeError: the team is not known, or the fleet cannot be reached.

    """
    try:
        fleet = fleet_of(project_dir, stack=stack, team=team)
        return asyncio.run(ask_for_workers(fleet.kubeconfig, team_in(fleet.declared, team)))
    except AccessError as error:
        raise WakeError(str(error)) from error


async def ask_for_workers(kubeconfig: Kubeconfig, team: DeclaredTeam) -> str:
    """Ask for a team's workers where they sleep; return what was done, as a sentence.

    Raises:
        AccessError: the API server does not answer, or refuses.

    """
    async with connected(kubeconfig, request_timeout_s=REQUEST_TIMEOUT_S) as api:
        if await sleep_note(api, team) is None:
            return f"The workers of {team.namespace} are not asleep. Nothing was done."
        await _scale(api, f"{first_group(team)}/scale", team)
    return (
        f"{team.workers} workers of {team.namespace} are starting. If nodes have to start first, "
        f"that takes minutes. They go again as the team's `idle` and `hours` say."
    )


async def _scale(api: kr8s.asyncio.Api, url: str, team: DeclaredTeam) -> None:
    """Write the number, and nothing else: that is what members of a team may do."""
    async with api.call_api(
        "PATCH",
        version=DASK_API,
        url=url,
        namespace=team.namespace,
        json={"spec": {"replicas": team.workers}},
        headers={"Content-Type": "application/merge-patch+json"},
    ):
        pass
