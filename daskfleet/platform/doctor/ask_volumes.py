"""Looking for claims in the namespaces of teams."""

from pathlib import Path

import kr8s

from daskfleet.access.kubernetes_api import get
from daskfleet.platform.doctor.cluster_session import session
from daskfleet.platform.doctor.model import Finding
from daskfleet.platform.doctor.team_volumes import Claim, teams_with_volumes, volume_findings
from daskfleet.settings.stack import Stack


async def volumes(stack: Stack, *, name: str, project_dir: Path) -> list[Finding]:
    """Look for the claims that the stack file names."""
    async with session(name, project_dir) as api:
        claims = {team: await _claims(api, team) for team in teams_with_volumes(stack)}
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
