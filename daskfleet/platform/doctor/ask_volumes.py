"""Looking for claims in the namespaces of teams."""

import asyncio
from pathlib import Path

import kr8s

from daskfleet.access.errors import AccessError
from daskfleet.access.fleet import REQUEST_TIMEOUT_S, fleet_of_stack
from daskfleet.access.kubernetes_api import connected, get
from daskfleet.platform.doctor.errors import NotLookedAtError
from daskfleet.platform.doctor.model import Finding
from daskfleet.platform.doctor.team_volumes import Claim, teams_with_volumes, volume_findings
from daskfleet.settings.stack import Stack


async def volumes(stack: Stack, *, name: str, project_dir: Path) -> list[Finding]:
    """Look for the claims that the stack file names."""
    try:
        fleet = await asyncio.to_thread(fleet_of_stack, project_dir, name)
        async with connected(fleet.kubeconfig, request_timeout_s=REQUEST_TIMEOUT_S) as api:
            claims = {team: await _claims(api, team) for team in teams_with_volumes(stack)}
    except AccessError as error:
        raise NotLookedAtError(str(error)) from error
    return [*volume_findings(stack, claims)]


async def _claims(api: kr8s.asyncio.Api, namespace: str) -> dict[str, Claim]:
    answer = await get(api, "v1", "persistentvolumeclaims", namespace=namespace)
    return {
        each["metadata"]["name"]: Claim(
            is_bound=each.get("status", {}).get("phase") == "Bound",
            modes=frozenset(each["spec"].get("accessModes", ())),
        )
        for each in answer["items"]
    }
