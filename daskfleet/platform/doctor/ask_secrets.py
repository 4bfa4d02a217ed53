"""Looking for Secrets by their names. No request is for what one holds."""

from pathlib import Path

import kr8s

from daskfleet.access.kubernetes_api import get
from daskfleet.platform.doctor.cluster_session import session
from daskfleet.platform.doctor.model import Finding
from daskfleet.platform.doctor.team_secrets import PULL_TYPE, There, named_secrets, secret_findings
from daskfleet.settings.stack import Stack

NAMES_ONLY = {"Accept": "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"}
"""Has the API server leave out what objects hold (kubernetes.io, "Kubernetes API Concepts")."""


async def secrets(stack: Stack, *, name: str, project_dir: Path) -> list[Finding]:
    """Look for the Secrets that the stack file names."""
    async with session(name, project_dir) as api:
        there = {
            team: There(
                names=await _names(api, team),
                for_pulling=await _names(api, team, fieldSelector=f"type={PULL_TYPE}"),
            )
            for team in sorted({each.team for each in named_secrets(stack)})
        }
    return [*secret_findings(stack, there)]


async def _names(api: kr8s.asyncio.Api, namespace: str, **parameters: str) -> frozenset[str]:
    answer = await get(
        api, "v1", "secrets", namespace=namespace, params=parameters, headers=NAMES_ONLY
    )
    return frozenset(each["metadata"]["name"] for each in answer["items"])
