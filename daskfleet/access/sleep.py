"""Whether a team's workers sleep."""

import kr8s.asyncio

from daskfleet.access.kubernetes_api import get
from daskfleet.contract.dask import DASK_API
from daskfleet.contract.declared import DeclaredTeam
from in_cluster.idle_controller.note import Note, asleep


def first_group(team: DeclaredTeam) -> str:
    """Return where the API server has the team's first group of workers."""
    return f"daskworkergroups/{team.all_groups[0].dask_worker_group}"


async def sleep_note(api: kr8s.asyncio.Api, team: DeclaredTeam) -> Note | None:
    """Return the note of the controller that let them go; None where they do not sleep."""
    return asleep(await get(api, DASK_API, first_group(team), namespace=team.namespace))
