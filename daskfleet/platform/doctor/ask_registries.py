"""Looking at the grants that let nodes pull images. Nothing here writes."""

import asyncio

from daskfleet.planning.plan import FleetPlan
from daskfleet.planning.registry import Repository
from daskfleet.platform.doctor.answers import Permissions
from daskfleet.platform.doctor.errors import NotLookedAtError, NotThereError
from daskfleet.platform.doctor.google_api import GoogleApi
from daskfleet.platform.doctor.model import Area, Finding, not_looked_at
from daskfleet.platform.doctor.policy_answers import Policy
from daskfleet.platform.doctor.registries import (
    GRANTING,
    foreign_repositories,
    grant_command,
    granting_finding,
    missing_repository,
    repository_finding,
    subject_of,
)
from daskfleet.settings.stack import Stack


async def repositories(google: GoogleApi, plan: FleetPlan) -> list[Finding]:
    """Look at each repository of another project."""

    async def look(each: Repository) -> Finding:
        try:
            policy = await google.get("artifactregistry", f"{each.path}:getIamPolicy", Policy)
        except NotThereError:
            return missing_repository(each)
        except NotLookedAtError as error:
            command = grant_command(each, plan.stack)
            return not_looked_at(Area.PERMISSIONS, subject_of(each), error, command=command)
        return repository_finding(each, policy, plan.stack)

    return list(await asyncio.gather(*map(look, foreign_repositories(plan))))


async def grants(google: GoogleApi, stack: Stack, *, member: str) -> list[Finding]:
    """Look at each project in which `up` is to grant."""

    async def look(project: str) -> Finding:
        try:
            granted = await google.post(
                "cloudresourcemanager",
                f"projects/{project}:testIamPermissions",
                Permissions,
                {"permissions": list(GRANTING)},
            )
        except NotLookedAtError as error:
            return not_looked_at(Area.PERMISSIONS, f"grants in project {project}", error)
        return granting_finding(project, granted.permissions, member=member)

    return list(await asyncio.gather(*map(look, stack.registry.reader_in)))
