"""Pure: whether the pools' zones have the machines and GPUs, and the location the channel."""

from collections.abc import Iterator, Mapping

from daskfleet.planning.pool_zones import zones_of
from daskfleet.planning.pools import dask_pools, gpu_pools
from daskfleet.platform.doctor.answers import ServerConfig
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.settings.pools import GpuPool
from daskfleet.settings.stack import Stack


def machine_types(stack: Stack) -> dict[tuple[str, str], list[str]]:
    """The pools of each machine type in each zone."""
    pools = (stack.system_pool, *(pool for _, pool in dask_pools(stack)))
    users: dict[tuple[str, str], list[str]] = {}
    for pool in pools:
        for zone in zones_of(pool, stack):
            users.setdefault((pool.machine_type, zone), []).append(pool.name)
    return users


def zones_with_gpus(stack: Stack) -> tuple[str, ...]:
    """The zones in which pools have GPUs, each once."""
    zones = (zone for _, pool in gpu_pools(stack) for zone in zones_of(pool, stack))
    return tuple(dict.fromkeys(zones))


def machine_finding(
    name: str, pools: list[str], *, zone: str, is_there: bool, project: str
) -> Finding:
    """Judge one machine type."""
    return Finding(
        area=Area.ZONE,
        subject=f"{name} in {zone}",
        outcome=Outcome.OK if is_there else Outcome.WRONG,
        needed=f"offered there (pool {', '.join(pools)})",
        there="offered" if is_there else "the zone has no such machine type",
        fix="" if is_there else "Choose a zone from the list, or another machine_type.",
        command=""
        if is_there
        else f"gcloud compute machine-types list --project {project} --filter='name={name}' "
        "--format='value(zone)'",
    )


def gpu_findings(stack: Stack, zone: str, cards: Mapping[str, int]) -> Iterator[Finding]:
    """Judge the GPUs of a zone's pools by its own, of which ``cards`` has the most per machine."""
    for _, pool in gpu_pools(stack):
        if zone not in zones_of(pool, stack):
            continue
        most = cards.get(pool.accelerator)
        is_there = most is not None and pool.gpus_per_node <= most
        yield Finding(
            area=Area.ZONE,
            subject=f"{pool.accelerator} in {zone} (pool {pool.name})",
            outcome=Outcome.OK if is_there else Outcome.WRONG,
            needed=f"{pool.gpus_per_node} in one machine",
            there=_gpus_there(pool, most),
            fix="" if is_there else "Choose a zone from the list, or another accelerator.",
            command=""
            if is_there
            else f"gcloud compute accelerator-types list --project {stack.project} "
            f"--filter='name={pool.accelerator}'",
        )


def _gpus_there(pool: GpuPool, most: int | None) -> str:
    if most is None:
        return f"the zone has no {pool.accelerator}"
    return f"up to {most} in one machine"


def channel_finding(stack: Stack, config: ServerConfig) -> Finding:
    """Judge the release channel. The program pins no version, so the channel is all there is."""
    wanted = stack.cluster.release_channel
    found = next((each for each in config.channels if each.channel == wanted), None)
    return Finding(
        area=Area.ZONE,
        subject=f"release channel {wanted} in {stack.location}",
        outcome=Outcome.OK if found else Outcome.WRONG,
        needed="offered there",
        there=f"a new cluster gets {found.default_version}"
        if found
        else f"GKE has {', '.join(each.channel for each in config.channels) or 'no channel'}",
        fix="" if found else "Choose another cluster.release_channel.",
    )
