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
    path = f"projects/{stack.project}:getEffectiveOrgPolicy"

    async def look(constraint: Constraint) -> Finding:
        body = {"constraint": constraint.full_name}
        try:
            policy = await google.post("cloudresourcemanager", path, OrgPolicy, body)
        except NotLookedAtError as error:
            return not_looked_at(Area.PERMISSIONS, constraint.full_name, error)
        return constraint_finding(constraint, policy)

    return list(await asyncio.gather(*map(look, constraints_of(stack, own or ()))))
