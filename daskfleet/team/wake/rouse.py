"""Asking for a team's declared workers, with the right that the team's members have."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import kr8s
import kr8s.asyncio
from pydantic import BaseModel, ConfigDict, ValidationError

from daskfleet.access.errors import AccessError
from daskfleet.access.kubeconfig import required_kubeconfig
from daskfleet.access.kubernetes_api import connected, get
from daskfleet.access.pulumi_state import export_state, stack_outputs
from in_cluster.idle_controller.note import asleep

DASK_API = "kubernetes.dask.org/v1"
REQUEST_TIMEOUT_S = 15


class WakeError(Exception):
    """The team cannot be woken; the text says why, and the next step."""


class DeclaredTeam(BaseModel):
    """What the last ``pulumi up`` says of a team."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    namespace: str
    dask_cluster: str
    workers: int


def rouse(project_dir: Path, stack: str | None, team: str) -> str:
    """Ask for the declared workers where they sleep; return what was done, as a sentence.

    Raises:
        WakeError: the team is not known, or the fleet cannot be reached.

    """
    try:
        state = export_state(project_dir, stack)
        declared = declared_team(stack_outputs(state)[1], team)
        return asyncio.run(ask_for_workers(required_kubeconfig(state), declared))
    except AccessError as error:
        raise WakeError(str(error)) from error


def declared_team(outputs: Mapping[str, Any], team: str) -> DeclaredTeam:
    """Read the stack's outputs.

    Raises:
        WakeError: there is no such team with a Dask cluster.

    """
    teams = outputs.get("teams") or {}
    if team not in teams:
        known = ", ".join(sorted(teams)) or "none"
        raise WakeError(f"The stack has no team {team} with a Dask cluster; it has: {known}.")
    try:
        return DeclaredTeam.model_validate(teams[team])
    except ValidationError as error:
        raise WakeError(
            f"The stack's output for team {team} lacks what is needed. Run `pulumi up` with this "
            "release of the program."
        ) from error


async def ask_for_workers(kubeconfig: dict[str, Any], team: DeclaredTeam) -> str:
    """Ask for a team's workers where they sleep; return what was done, as a sentence.

    Raises:
        AccessError: the API server does not answer, or refuses.

    """
    group = f"daskworkergroups/{team.dask_cluster}-default"
    async with connected(kubeconfig, request_timeout_s=REQUEST_TIMEOUT_S) as api:
        note = asleep(await get(api, DASK_API, group, namespace=team.namespace))
        if note is None:
            return f"The workers of {team.namespace} do not sleep; nothing was done."
        await _scale(api, f"{group}/scale", team)
    return (
        f"{team.workers} workers of {team.namespace} are on their way. On nodes that have to come "
        "first that takes minutes. They go again as the team's `idle` and `hours` say."
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
