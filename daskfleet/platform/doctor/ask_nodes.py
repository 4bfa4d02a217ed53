"""Looking at the nodes of a fleet that is up."""

import asyncio
from pathlib import Path

from daskfleet.access.errors import AccessError
from daskfleet.access.fleet import REQUEST_TIMEOUT_S, fleet_of_stack
from daskfleet.access.kubernetes_api import connected, get
from daskfleet.contract.nodes import ACCELERATOR_LABEL
from daskfleet.platform.doctor.errors import NotLookedAtError
from daskfleet.platform.doctor.model import Finding
from daskfleet.platform.doctor.sick_nodes import sick_node_findings
from daskfleet.settings.stack import Stack


async def gpus(stack: Stack, *, name: str, project_dir: Path) -> list[Finding]:
    """Look for nodes whose GPU is sick."""
    try:
        fleet = await asyncio.to_thread(fleet_of_stack, project_dir, name)
        async with connected(fleet.kubeconfig, request_timeout_s=REQUEST_TIMEOUT_S) as api:
            answer = await get(api, "v1", "nodes", params={"labelSelector": ACCELERATOR_LABEL})
    except AccessError as error:
        raise NotLookedAtError(str(error)) from error
    return [*sick_node_findings(answer["items"], stack)]
