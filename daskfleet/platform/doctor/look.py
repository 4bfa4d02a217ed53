"""One examination: all look-ups beside each other; one that fails hides no other."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import httpx

from daskfleet.planning.reservations import reserved
from daskfleet.platform.doctor import (
    ask_endpoint,
    ask_nodes,
    ask_secrets,
    ask_state,
    ask_tools,
    ask_volumes,
)
from daskfleet.platform.doctor.check import Check
from daskfleet.platform.doctor.endpoints import SUBJECT, needed_way
from daskfleet.platform.doctor.errors import NotLookedAtError
from daskfleet.platform.doctor.google_checks import google_checks
from daskfleet.platform.doctor.model import Area, Finding, Report, in_order, not_looked_at
from daskfleet.platform.doctor.quotas import NOTE
from daskfleet.platform.doctor.reservations import QUOTA_NOTE
from daskfleet.platform.doctor.sources import Sources
from daskfleet.platform.doctor.stack_settings import StackSettings
from daskfleet.platform.doctor.team_secrets import named_secrets
from daskfleet.platform.doctor.team_volumes import teams_with_volumes

NOTES = (
    NOTE,
    "No check looks at billing, images, or the drivers of GKE's nodes.",
    "Custom and managed constraints of an organisation's policies are not looked at.",
)


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
                *google_checks(sources, settings),
                *_way_in(sources, settings),
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
        "secrets provider": ask_state.secrets(
            sources.backend, sources.google, provider, environment
        ),
    }
    yield from (Check(area=Area.STATE, subject=what, look=look) for what, look in looks.items())


def _way_in(sources: Sources, settings: StackSettings) -> Iterator[Check]:
    """Try the way to a control plane that lets in addresses; whom another one does, IAM says."""
    if settings.plan is None or not needed_way(settings.plan.stack):
        return
    stack = settings.plan.stack

    async def look() -> list[Finding]:
        return await ask_endpoint.way_in(sources.required_pulumi(), sources.summary, stack)

    yield Check(area=Area.TOOLS, subject=SUBJECT, look=look())


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
