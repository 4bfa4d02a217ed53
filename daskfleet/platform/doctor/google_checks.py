"""What an examination asks of Google Cloud."""

from collections.abc import Callable, Coroutine, Iterator

from daskfleet.google_cloud.bearer import Access
from daskfleet.planning.keys import keys_of
from daskfleet.planning.networks import host_project, is_shared
from daskfleet.planning.plan import FleetPlan
from daskfleet.planning.pool_zones import zones_of_all
from daskfleet.planning.reservations import reserved
from daskfleet.platform.doctor import (
    ask_buckets,
    ask_constraints,
    ask_google,
    ask_keys,
    ask_network,
    ask_registries,
    ask_reservations,
    ask_shared_vpc,
)
from daskfleet.platform.doctor.buckets import listed_buckets
from daskfleet.platform.doctor.check import Check
from daskfleet.platform.doctor.credentials import access_finding
from daskfleet.platform.doctor.errors import NotLookedAtError
from daskfleet.platform.doctor.model import Area, Finding
from daskfleet.platform.doctor.registries import foreign_repositories
from daskfleet.platform.doctor.sources import Sources
from daskfleet.platform.doctor.stack_settings import StackSettings
from daskfleet.settings.stack import Stack


def google_checks(sources: Sources, settings: StackSettings) -> Iterator[Check]:
    """Return what is to be asked of Google Cloud, by what the stack has."""

    async def access() -> list[Finding]:
        return [access_finding(await sources.access)]

    yield Check(area=Area.CREDENTIALS, subject="Google Cloud", look=access())
    plan = settings.plan
    if plan is None:
        yield Check(
            area=Area.QUOTA, subject="what the stack needs of Google Cloud", look=_refused()
        )
        return
    stack = plan.stack

    async def project() -> list[Finding]:
        google, access = await sources.google, await sources.access
        billed_to = access.billed_to if isinstance(access, Access) else ""
        return await ask_google.project(google, stack, billed_to=billed_to)

    async def permissions() -> list[Finding]:
        member = await _member(sources)
        return await ask_google.permissions(await sources.google, stack, member=member)

    async def quotas() -> list[Finding]:
        return await ask_google.quotas(await sources.google, plan, await sources.own)

    async def names() -> list[Finding]:
        google, own = await sources.google, await sources.own
        return await ask_google.names(google, stack, own, name=settings.name)

    async def of_stack(
        ask: Callable[..., Coroutine[None, None, list[Finding]]],
    ) -> list[Finding]:
        return await ask(await sources.google, stack)

    zones = ", ".join(zones_of_all(stack))
    for area, subject, look in (
        (Area.CREDENTIALS, f"project {stack.project}", project()),
        (Area.APIS, "enabled APIs", of_stack(ask_google.services)),
        (Area.PERMISSIONS, f"in project {stack.project}", permissions()),
        (Area.PERMISSIONS, "organisation policies", _constraints(sources, stack)),
        (Area.QUOTA, f"quotas in {stack.region}", quotas()),
        (Area.ZONE, f"machine types in {zones}", of_stack(ask_google.machines)),
        (Area.ZONE, f"GPUs in {zones}", of_stack(ask_google.gpus)),
        (Area.ZONE, "node pools of the cluster", _pools(sources, stack)),
        (Area.ZONE, f"release channel in {stack.location}", of_stack(ask_google.channel)),
        (Area.NAMES, "names in Google Cloud", names()),
    ):
        yield Check(area=area, subject=subject, look=look)
    yield from _network(sources, stack)
    yield from _reservations(sources, plan)
    yield from _registries(sources, plan)
    yield from _keys(sources, stack)
    if listed_buckets(stack):
        yield from _buckets(sources, stack)


def _registries(sources: Sources, plan: FleetPlan) -> Iterator[Check]:
    async def repositories() -> list[Finding]:
        return await ask_registries.repositories(await sources.google, plan)

    async def grants() -> list[Finding]:
        member = await _member(sources)
        return await ask_registries.grants(await sources.google, plan.stack, member=member)

    if foreign_repositories(plan):
        yield Check(area=Area.PERMISSIONS, subject="repositories of images", look=repositories())
    if plan.stack.registry.reader_in:
        yield Check(area=Area.PERMISSIONS, subject="grants in other projects", look=grants())


async def _pools(sources: Sources, stack: Stack) -> list[Finding]:
    return await ask_google.pools(await sources.google, stack, await sources.own)


async def _constraints(sources: Sources, stack: Stack) -> list[Finding]:
    return await ask_constraints.constraints(await sources.google, stack, await sources.own)


def _network(sources: Sources, stack: Stack) -> Iterator[Check]:
    existing = stack.network.existing
    if existing is None:
        return

    async def network() -> list[Finding]:
        return await ask_network.network(await sources.google, stack, existing=existing)

    async def grants() -> list[Finding]:
        return await ask_network.grants(await sources.google, stack, existing=existing)

    async def attachment() -> list[Finding]:
        return await ask_shared_vpc.attachment(await sources.google, stack)

    host = host_project(stack)
    yield Check(area=Area.ZONE, subject=f"network {existing.network}", look=network())
    if is_shared(stack):
        yield Check(area=Area.PERMISSIONS, subject=f"grants in {host}", look=grants())
        yield Check(area=Area.PERMISSIONS, subject=f"Shared VPC of {host}", look=attachment())


def _reservations(sources: Sources, plan: FleetPlan) -> Iterator[Check]:
    async def reservations() -> list[Finding]:
        return await ask_reservations.reservations(await sources.google, plan, await sources.own)

    if reserved(plan.stack):
        yield Check(area=Area.ZONE, subject="reservations", look=reservations())


def _keys(sources: Sources, stack: Stack) -> Iterator[Check]:
    async def keys() -> list[Finding]:
        return await ask_keys.keys(await sources.google, stack)

    if keys_of(stack):
        yield Check(area=Area.PERMISSIONS, subject="keys of Cloud KMS", look=keys())


def _buckets(sources: Sources, stack: Stack) -> Iterator[Check]:
    async def number() -> list[Finding]:
        return await ask_buckets.number(await sources.google, stack)

    async def buckets() -> list[Finding]:
        member = await _member(sources)
        return await ask_buckets.buckets(await sources.google, stack, member=member)

    yield Check(area=Area.STACK_FILE, subject="project_number", look=number())
    yield Check(area=Area.PERMISSIONS, subject="buckets of teams", look=buckets())


async def _member(sources: Sources) -> str:
    """Who asks; empty where the login does not say."""
    access = await sources.access
    return access.member if isinstance(access, Access) else ""


async def _refused() -> list[Finding]:
    raise NotLookedAtError("the stack file is refused")
