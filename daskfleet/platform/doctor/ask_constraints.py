"""Looking at the organisation's policies that hold for the project. Nothing here writes."""

import asyncio
from collections.abc import Collection

from daskfleet.platform.doctor.constraints import Constraint, constraint_finding
from daskfleet.platform.doctor.errors import NotLookedAtError
from daskfleet.platform.doctor.google_api import GoogleApi
from daskfleet.platform.doctor.model import Area, Finding, not_looked_at
from daskfleet.platform.doctor.policy_answers import OrgPolicy
from daskfleet.platform.doctor.stack_constraints import constraints_of
from daskfleet.settings.stack import Stack


async def constraints(
    google: GoogleApi, stack: Stack, own: Collection[str] | None
) -> list[Finding]:
    """Look at each constraint; one that cannot be read hides no other."""
    asked = constraints_of(stack, own or ())
    return list(await asyncio.gather(*(constraint(google, stack, each) for each in asked)))


async def constraint(google: GoogleApi, stack: Stack, asked: Constraint) -> Finding:
    """Look at one constraint."""
    path = f"projects/{stack.project}:getEffectiveOrgPolicy"
    body = {"constraint": asked.full_name}
    try:
        policy = await google.post("cloudresourcemanager", path, OrgPolicy, body)
    except NotLookedAtError as error:
        return not_looked_at(Area.PERMISSIONS, asked.full_name, error)
    return constraint_finding(asked, policy)
