"""Looking at the reservations that pools name. Nothing here writes."""

import asyncio
from collections.abc import Collection

from daskfleet.planning.plan import FleetPlan
from daskfleet.planning.reservations import affinity_of, reserved
from daskfleet.platform.doctor.answers import Project, Reservation
from daskfleet.platform.doctor.ask_google import own_pools, size_of
from daskfleet.platform.doctor.errors import NotLookedAtError, NotThereError
from daskfleet.platform.doctor.google_api import GoogleApi
from daskfleet.platform.doctor.model import Area, Finding, not_looked_at
from daskfleet.platform.doctor.reservations import (
    missing_reservation,
    needed_room,
    reservation_findings,
    subject_of,
)
from daskfleet.platform.doctor.reserved_machines import ReservedInZone, in_zones
from daskfleet.settings.stack import Stack


async def reservations(
    google: GoogleApi, plan: FleetPlan, own: Collection[str] | None
) -> list[Finding]:
    """Look at each reservation in each zone of its pools."""
    stack = plan.stack

    async def look(each: ReservedInZone) -> list[Finding]:
        path = f"projects/{each.project}/zones/{each.zone}/reservations/{each.name}"
        try:
            found = await google.get("compute", path, Reservation)
        except NotThereError:
            return [missing_reservation(each, stack)]
        names = {stack.project} if each.is_own else {stack.project, await _number(google, stack)}
        room = needed_room(each, plan, own=await _own_machines(google, each, stack, own))
        return list(reservation_findings(each, found, room, stack, names=names))

    async def safely(each: ReservedInZone) -> list[Finding]:
        try:
            return await look(each)
        except NotLookedAtError as error:
            return [not_looked_at(Area.ZONE, subject_of(each), error)]

    places = [place for each in reserved(stack) for place in in_zones(each, stack)]
    findings = await asyncio.gather(*map(safely, places))
    return [finding for of_one in findings for finding in of_one]


async def _number(google: GoogleApi, stack: Stack) -> str:
    """A reservation may be shared with a project by its number."""
    found = await google.get("cloudresourcemanager", f"projects/{stack.project}", Project)
    return found.project_number


async def _own_machines(
    google: GoogleApi, each: ReservedInZone, stack: Stack, own: Collection[str] | None
) -> int:
    """Machines of the reservation that are nodes of the stack's own cluster."""
    (_, pool), *_ = each.pools
    affinity = affinity_of(pool, stack)
    sizes = [
        await size_of(
            google, [url for url in pool.instance_group_urls if f"/zones/{each.zone}/" in url]
        )
        for pool in await own_pools(google, stack, own)
        if affinity and pool.config.reservation_affinity.values == affinity.values
    ]
    return sum(sizes)
