"""Looking at the project with Google's APIs: enabled APIs, permissions, quotas, zone, names."""

import asyncio
from collections.abc import Collection, Sequence

from daskfleet.planning.plan import FleetPlan
from daskfleet.planning.quota import NodeShape
from daskfleet.platform.doctor.answers import (
    AcceleratorTypes,
    Cluster,
    InstanceGroup,
    MachineType,
    NodePool,
    Permissions,
    Project,
    Quota,
    ServerConfig,
    Services,
    WithQuotas,
)
from daskfleet.platform.doctor.errors import NotLookedAtError, NotThereError
from daskfleet.platform.doctor.google_api import ApiDisabledError, GoogleApi
from daskfleet.platform.doctor.model import Area, Finding, Outcome, not_looked_at
from daskfleet.platform.doctor.names import Named, name_finding, named_resources
from daskfleet.platform.doctor.needs import Nodes, needs_of, used_by
from daskfleet.platform.doctor.permissions import needed_permissions, permission_findings
from daskfleet.platform.doctor.pools import pool_findings
from daskfleet.platform.doctor.quotas import quota_findings, without_quota_for_spot
from daskfleet.platform.doctor.services import ASKED_BY, enable, needed_services, service_findings
from daskfleet.platform.doctor.zones import (
    channel_finding,
    gpu_findings,
    machine_finding,
    machine_types,
    zones_with_gpus,
)
from daskfleet.settings.stack import Stack


async def services(google: GoogleApi, stack: Stack) -> list[Finding]:
    """Look at the APIs that the program calls."""
    parent = f"projects/{stack.project}"
    names = [f"{parent}/services/{name}" for name in needed_services(stack)]
    try:
        found = await google.get(
            "serviceusage", f"{parent}/services:batchGet", Services, {"names": names}
        )
    except ApiDisabledError as error:
        why = f"{error}: nothing else tells which APIs are enabled"
        command = enable(ASKED_BY, project=stack.project)
        return [not_looked_at(Area.APIS, "enabled APIs", why, command=command)]
    return list(service_findings(found.services, stack))


async def project(google: GoogleApi, stack: Stack, *, billed_to: str) -> list[Finding]:
    """Look at the project itself."""
    try:
        found = await google.get("cloudresourcemanager", f"projects/{stack.project}", Project)
        is_there, there = found.lifecycle_state == "ACTIVE", found.lifecycle_state
    except NotThereError:
        is_there, there = False, "not found, or not to be seen with these credentials"
    return [
        Finding(
            area=Area.CREDENTIALS,
            subject=f"project {stack.project}",
            outcome=Outcome.OK if is_there else Outcome.WRONG,
            needed="active, and to be seen",
            there=there + (f"; quota project {billed_to}" if billed_to else ""),
            fix="" if is_there else "Correct daskfleet:project, or let somebody give you access.",
            command="" if is_there else f"gcloud projects describe {stack.project}",
        )
    ]


async def permissions(google: GoogleApi, stack: Stack, *, member: str) -> list[Finding]:
    """Look at what the caller may do in the project."""
    needed = needed_permissions(stack)
    granted = await google.post(
        "cloudresourcemanager",
        f"projects/{stack.project}:testIamPermissions",
        Permissions,
        {"permissions": list(needed)},
    )
    return list(
        permission_findings(needed, granted.permissions, project=stack.project, member=member)
    )


async def quotas(google: GoogleApi, plan: FleetPlan, own: Collection[str] | None) -> list[Finding]:
    """Look at what the stack needs of the region's and the project's quotas."""
    stack = plan.stack
    everywhere = f"projects/{stack.project}"
    region = f"{everywhere}/regions/{stack.region}"
    nodes, *answers = await asyncio.gather(
        _own_nodes(google, stack, own),
        _quotas_at(google, everywhere, subject="quotas of the project"),
        _quotas_at(google, region, subject=f"quotas in {stack.region}"),
    )
    # Some metrics are listed twice; where machines run, the region's counts.
    found = {quota.metric: quota for quotas, _ in answers for quota in quotas}
    unknown = [finding for _, findings in answers for finding in findings]
    special = without_quota_for_spot(found, needs_of(plan))
    has_network = any("/networks/" in each for each in own or ())
    judged = quota_findings(
        needs_of(plan, without_spot_quota=special),
        found,
        used_by(nodes, network=stack.network if has_network else None, without_spot_quota=special),
        project=stack.project,
        region=stack.region,
    )
    if unknown:
        # Without one of the two answers only what the other one lists can be judged.
        judged = (finding for finding in judged if finding.subject.split()[0] in found)
    return [*unknown, *judged]


async def _quotas_at(
    google: GoogleApi, path: str, *, subject: str
) -> tuple[tuple[Quota, ...], list[Finding]]:
    try:
        return (await google.get("compute", path, WithQuotas)).quotas, []
    except NotLookedAtError as error:
        return (), [not_looked_at(Area.QUOTA, subject, error)]


async def _own_nodes(
    google: GoogleApi, stack: Stack, own: Collection[str] | None
) -> Sequence[Nodes]:
    return [
        Nodes(
            shape=NodeShape(
                machine_type=pool.config.machine_type,
                accelerator=next((a.accelerator_type for a in pool.config.accelerators), None),
                gpus=sum(a.accelerator_count for a in pool.config.accelerators),
                disk_type=pool.config.disk_type,
                disk_size_gb=pool.config.disk_size_gb,
                spot=pool.config.spot,
            ),
            count=await size_of(google, pool.instance_group_urls),
        )
        for pool in await own_pools(google, stack, own)
    ]


async def own_pools(
    google: GoogleApi, stack: Stack, own: Collection[str] | None
) -> Sequence[NodePool]:
    """Return the pools of the stack's own cluster; none before the first `up`."""
    named = named_resources(stack)[0]
    if named.state_id not in (own or ()):
        return ()
    try:
        return (await google.get("container", named.path, Cluster)).node_pools
    except NotThereError:
        return ()


async def pools(google: GoogleApi, stack: Stack, own: Collection[str] | None) -> list[Finding]:
    """Look at whether the pools that there are have what they were to have."""
    return list(pool_findings(await own_pools(google, stack, own), stack))


async def size_of(google: GoogleApi, group_urls: Sequence[str]) -> int:
    """Return how many nodes a pool has: GKE's API does not tell it, its instance groups do."""
    paths = [f"projects/{url.partition('/projects/')[2]}" for url in group_urls]
    groups = await asyncio.gather(*(google.get("compute", path, InstanceGroup) for path in paths))
    return sum(group.target_size for group in groups)


async def machines(google: GoogleApi, stack: Stack) -> list[Finding]:
    """Look at the machine types of the pools' zones."""

    async def look(name: str, zone: str, pools: list[str]) -> Finding:
        path = f"projects/{stack.project}/zones/{zone}/machineTypes/{name}"
        try:
            await google.get("compute", path, MachineType)
            is_there = True
        except NotThereError:
            is_there = False
        except NotLookedAtError as error:
            return not_looked_at(Area.ZONE, f"{name} in {zone}", error)
        return machine_finding(name, pools, zone=zone, is_there=is_there, project=stack.project)

    users = machine_types(stack).items()
    return list(await asyncio.gather(*(look(*place, pools) for place, pools in users)))


async def gpus(google: GoogleApi, stack: Stack) -> list[Finding]:
    """Look at the GPUs of the pools' zones."""

    async def look(zone: str) -> list[Finding]:
        path = f"projects/{stack.project}/zones/{zone}/acceleratorTypes"
        try:
            listed = await google.get("compute", path, AcceleratorTypes)
        except NotThereError:
            listed = AcceleratorTypes()
        except NotLookedAtError as error:
            return [not_looked_at(Area.ZONE, f"GPUs in {zone}", error)]
        cards = {each.name: each.maximum_cards_per_instance for each in listed.items}
        return list(gpu_findings(stack, zone, cards))

    found = await asyncio.gather(*map(look, zones_with_gpus(stack)))
    return [finding for findings in found for finding in findings]


async def channel(google: GoogleApi, stack: Stack) -> list[Finding]:
    """Look at what GKE offers where the control plane is to be."""
    path = f"projects/{stack.project}/locations/{stack.location}/serverConfig"
    return [channel_finding(stack, await google.get("container", path, ServerConfig))]


async def names(
    google: GoogleApi, stack: Stack, own: Collection[str] | None, *, name: str
) -> list[Finding]:
    """Look for what has the names that the program will give."""

    async def look(named: Named) -> Finding:
        try:
            await google.get(named.api, named.path, named.answer)
            exists = True
        except NotThereError:
            exists = False
        except NotLookedAtError as error:
            return not_looked_at(Area.NAMES, f"{named.kind} {named.name}", error)
        return name_finding(named, exists=exists, own=own, stack=name)

    return list(await asyncio.gather(*(look(named) for named in named_resources(stack))))
