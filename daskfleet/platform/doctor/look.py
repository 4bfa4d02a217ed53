"""One examination: all look-ups beside each other; one that fails hides no other."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx

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
    ask_nodes,
    ask_registries,
    ask_reservations,
    ask_secrets,
    ask_state,
    ask_tools,
    ask_volumes,
)
from daskfleet.platform.doctor.buckets import listed_buckets
from daskfleet.platform.doctor.credentials import access_finding
from daskfleet.platform.doctor.errors import NotLookedAtError
from daskfleet.platform.doctor.model import Area, Finding, Report, in_order, not_looked_at
from daskfleet.platform.doctor.quotas import NOTE
from daskfleet.platform.doctor.registries import foreign_repositories
from daskfleet.platform.doctor.reservations import QUOTA_NOTE
from daskfleet.platform.doctor.sources import Sources
from daskfleet.platform.doctor.stack_settings import StackSettings
from daskfleet.platform.doctor.team_secrets import named_secrets
from daskfleet.platform.doctor.team_volumes import teams_with_volumes
from daskfleet.settings.stack import Stack

NOTES = (
    NOTE,
    "No check looks at billing, images, or the drivers of GKE's nodes.",
    "Custom and managed constraints of an organisation's policies are not looked at.",
)


@dataclass(frozen=True, kw_only=True)
class Check:
    """A look-up, and what it is called if it comes to nothing."""

    area: Area
    subject: str
    look: Coroutine[None, None, list[Finding]]


async def examine(
    settings: StackSettings,
    *,
    environment: Mapping[str, str],
    project_dir: Path,
    progress: Callable[[str], None],
) -> Report:
    """Look at everything that `pulumi up` of a stack meets."""
    async with httpx.AsyncClient() as http:
        sources = Sources(
            http, stack=settings.name, environment=environment, project_dir=project_dir
        )
        try:
            checks = [
                *_on_this_machine(sources, environment, project_dir),
                *_state(sources, settings, environment),
                *_google(sources, settings),
                *_in_cluster(settings, project_dir),
            ]
            findings = await _all(checks, progress=progress)
        finally:
            sources.cancel()
    is_reserved = settings.plan is not None and any(e.is_own for e in reserved(settings.plan.stack))
    return Report(
        stack=settings.name,
        findings=in_order([settings.finding, *findings]),
        notes=(*NOTES, QUOTA_NOTE) if is_reserved else NOTES,
    )


def _on_this_machine(
    sources: Sources, environment: Mapping[str, str], project_dir: Path
) -> Iterator[Check]:
    async def plugins() -> list[Finding]:
        return await ask_tools.plugins(sources.required_pulumi(), environment, project_dir)

    looks = {
        "gke-gcloud-auth-plugin": ask_tools.auth_plugin(environment, project_dir),
        "pulumi": ask_tools.pulumi_version(sources.pulumi, project_dir),
        "Python and its packages": ask_tools.python(project_dir),
        "provider plugins": plugins(),
    }
    yield from (Check(area=Area.TOOLS, subject=name, look=look) for name, look in looks.items())


def _state(
    sources: Sources, settings: StackSettings, environment: Mapping[str, str]
) -> Iterator[Check]:
    name, provider = settings.name, settings.secrets_provider
    looks = {
        "backend": ask_state.backend(sources.backend),
        f"stack {name}": ask_state.stack(sources.stacks, name, secrets_provider=provider),
        f"lock of {name}": ask_state.lock(sources.backend, sources.summary, sources.google, name),
        "secrets provider": ask_state.secrets(sources.backend, provider, environment),
    }
    yield from (Check(area=Area.STATE, subject=what, look=look) for what, look in looks.items())


def _google(sources: Sources, settings: StackSettings) -> Iterator[Check]:
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
        google, access = await sources.google, await sources.access
        member = access.member if isinstance(access, Access) else ""
        return await ask_google.permissions(google, stack, member=member)

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
        (Area.PERMISSIONS, "organisation policies", of_stack(ask_constraints.constraints)),
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


def _in_cluster(settings: StackSettings, project_dir: Path) -> Iterator[Check]:
    """Look where somebody drains nodes, who leaves their repair to people; for Secrets, claims."""
    if settings.plan is None:
        return
    stack, name = settings.plan.stack, settings.name
    if stack.gpu_health is not None:
        look = ask_nodes.gpus(stack, name=name, project_dir=project_dir)
        yield Check(area=Area.ZONE, subject="GPUs of the nodes", look=look)
    if named_secrets(stack):
        look = ask_secrets.secrets(stack, name=name, project_dir=project_dir)
        yield Check(area=Area.PERMISSIONS, subject="Secrets of teams", look=look)
    if teams_with_volumes(stack):
        look = ask_volumes.volumes(stack, name=name, project_dir=project_dir)
        yield Check(area=Area.NAMES, subject="claims of teams", look=look)


def _registries(sources: Sources, plan: FleetPlan) -> Iterator[Check]:
    async def repositories() -> list[Finding]:
        return await ask_registries.repositories(await sources.google, plan)

    async def grants() -> list[Finding]:
        google, access = await sources.google, await sources.access
        member = access.member if isinstance(access, Access) else ""
        return await ask_registries.grants(google, plan.stack, member=member)

    if foreign_repositories(plan):
        yield Check(area=Area.PERMISSIONS, subject="repositories of images", look=repositories())
    if plan.stack.registry.reader_in:
        yield Check(area=Area.PERMISSIONS, subject="grants in other projects", look=grants())


async def _pools(sources: Sources, stack: Stack) -> list[Finding]:
    return await ask_google.pools(await sources.google, stack, await sources.own)


def _network(sources: Sources, stack: Stack) -> Iterator[Check]:
    existing = stack.network.existing
    if existing is None:
        return

    async def network() -> list[Finding]:
        return await ask_network.network(await sources.google, stack, existing=existing)

    async def grants() -> list[Finding]:
        return await ask_network.grants(await sources.google, stack, existing=existing)

    host = host_project(stack)
    yield Check(area=Area.ZONE, subject=f"network {existing.network}", look=network())
    if is_shared(stack):
        yield Check(area=Area.PERMISSIONS, subject=f"grants in {host}", look=grants())


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
        google, access = await sources.google, await sources.access
        member = access.member if isinstance(access, Access) else ""
        return await ask_buckets.buckets(google, stack, member=member)

    yield Check(area=Area.STACK_FILE, subject="project_number", look=number())
    yield Check(area=Area.PERMISSIONS, subject="buckets of teams", look=buckets())


async def _refused() -> list[Finding]:
    raise NotLookedAtError("the stack file is refused")


async def _all(checks: Iterable[Check], *, progress: Callable[[str], None]) -> list[Finding]:
    todo = list(checks)
    done = 0

    async def one(check: Check) -> list[Finding]:
        nonlocal done
        found = await _safely(check)
        done += 1
        progress(f"{done} of {len(todo)} looked at: {check.area}, {check.subject}")
        return found

    progress(f"0 of {len(todo)} looked at")
    found = await asyncio.gather(*(one(check) for check in todo))
    return [finding for findings in found for finding in findings]


async def _safely(check: Check) -> list[Finding]:
    """Answers that nobody expected are a reason not to know, and no reason to say nothing."""
    try:
        return await check.look
    except NotLookedAtError as error:
        return [not_looked_at(check.area, check.subject, error)]
    except (OSError, ValueError) as error:
        why = f"{type(error).__name__}: {error}"
        return [not_looked_at(check.area, check.subject, why)]
