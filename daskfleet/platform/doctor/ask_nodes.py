"""Looking at the nodes of a fleet that is up."""

from pathlib import Path

from daskfleet.access.kubernetes_api import get
from daskfleet.contract.nodes import ACCELERATOR_LABEL
from daskfleet.platform.doctor.cluster_session import session
from daskfleet.platform.doctor.model import Finding
from daskfleet.platform.doctor.sick_nodes import sick_node_findings
from daskfleet.settings.stack import Stack


async def gpus(stack: Stack, *, name: str, project_dir: Path) -> list[Finding]:
    """Look for nodes whose GPU is sick."""
    async with session(name, project_dir) as api:
        answer = await get(api, "v1", "nodes", params={"labelSelector": ACCELERATOR_LABEL})
    return [*sick_node_findings(answer["items"], stack)]
