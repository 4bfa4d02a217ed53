"""Pure: whether a reservation is what the pools that name it need, and has room for them."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.doctor.answers import Reservation
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.platform.doctor.reserved_machines import (
    ReservedInZone,
    create,
    describe,
    gpus_in,
    gpus_of,
    has_them_built_in,
    machine_of,
    part_in_zone,
    spelt,
)
from daskfleet.settings.stack import Stack

QUOTA_NOTE = (
    "Machines of a reservation of this project count against its quota from the day it was made. "
    "The checks of quota count the nodes on it once more: no source says that Google does not. "
    "A quota that is short by what is reserved may be enough."
)

READY = "READY"
NOBODY_ELSE, SOME_PROJECTS, EVERYBODY = "LOCAL", "SPECIFIC_PROJECTS", "ORGANIZATION"
"""compute.v1 ``ShareSettings.shareType``; folders are a further one, in the beta API."""


@dataclass(frozen=True, kw_only=True)
class Room:
    """Machines that the pools of a stack need of a reservation, those that they have included."""

    up: int
    """What the next `pulumi up` needs to succeed."""

    most: int
    """All pools at their largest, and each pool with ``replacement: surge`` twice. Of a pool in
    several zones, as many as if they were shared out evenly: GKE's autoscaler need not do so."""

    own: int
    """Machines of the reservation that the stack's pools have already."""


def needed_room(each: ReservedInZone, plan: FleetPlan, *, own: int) -> Room:
    """What the pools of a reservation need of it."""
    filled = {placement.pool: len(placement.nodes) for placement in plan.placement}
    pools = [pool for _, pool in each.pools]
    return Room(
        up=sum(part_in_zone(max(pool.min_nodes, filled.get(pool.name, 0)), pool) for pool in pools),
        most=sum(
            part_in_zone(pool.max_nodes, pool) * (2 if pool.replacement == "surge" else 1)
            for pool in pools
        ),
        own=own,
    )


def missing_reservation(each: ReservedInZone, stack: Stack) -> Finding:
    """Say that there is no such reservation."""
    _, pool = each.pools[0]
    return _finding(
        each,
        Outcome.WRONG,
        needed=f"{each.most_nodes} machines {machine_of(pool)} (pool {_pools(each)})",
        there=f"no reservation of this name in {each.zone} of project {each.project}, or one that "
        "these credentials may not see",
        fix="Correct the name, or make the reservation. Google then says whether it has the "
        "machines. From then on they are paid for.",
        command=create(each, pool, stack),
    )


def reservation_findings(
    each: ReservedInZone, found: Reservation, room: Room, stack: Stack, *, names: Collection[str]
) -> Iterator[Finding]:
    """Judge one reservation; ``names``: the ID and the number of the stack's project."""
    wrong = [
        *_state(each, found),
        *_machines(each, found),
        *_sharing(each, found, stack, names=names),
    ]
    yield from wrong
    if not wrong:
        yield _room(each, found, room)
    if each.machines not in {None, found.count}:
        yield _finding(
            each,
            Outcome.WARNING,
            needed=f"{found.count} machines, for the estimate of what it costs",
            there=f"the stack file says {each.machines}",
            fix=f"Set reservation.machines of pool {_pools(each)} to {found.count}.",
        )
    if not found.specific_reservation_required:
        yield _finding(
            each,
            Outcome.WARNING,
            needed="one that takes only machines that name it",
            there="any machine of this kind may take its room, for example a node of another pool",
            fix="Make it with --require-specific-reservation. It cannot be changed later.",
        )


def _state(each: ReservedInZone, found: Reservation) -> Iterator[Finding]:
    if found.status not in {READY, ""}:
        yield _finding(
            each,
            Outcome.WRONG,
            needed=READY,
            there=f"it is {found.status}",
            fix="Wait until it is ready, or name another one.",
            command=describe(each),
        )


def _machines(each: ReservedInZone, found: Reservation) -> Iterator[Finding]:
    """Machines match exactly or not at all (compute/docs/instances/reservations-overview)."""
    properties = found.specific_reservation.instance_properties
    _, pool = each.pools[0]
    gpus = gpus_in(properties.guest_accelerators)
    if gpus is None and has_them_built_in(pool):
        gpus = gpus_of(pool)
    platform = properties.min_cpu_platform
    if (properties.machine_type, gpus, platform) != (pool.machine_type, gpus_of(pool), ""):
        of_platform = f", minimum CPU platform {platform}" if platform else ""
        yield _finding(
            each,
            Outcome.WRONG,
            needed=f"machines {machine_of(pool)} (pool {_pools(each)})",
            there=f"machines {spelt(properties.machine_type or '(unknown)', gpus)}{of_platform}",
            fix="Give the pool the reservation's machine_type, accelerator and gpus_per_node, or "
            "another reservation. Nodes name no minimum CPU platform.",
            command=describe(each),
        )


def _sharing(
    each: ReservedInZone, found: Reservation, stack: Stack, *, names: Collection[str]
) -> Iterator[Finding]:
    if each.is_own:
        return
    kind = found.share_settings.share_type or NOBODY_ELSE
    shared_with = {
        name
        for key, project in found.share_settings.project_map.items()
        for name in (key, project.project_id)
        if name
    }
    if kind == EVERYBODY or (kind == SOME_PROJECTS and not shared_with.isdisjoint(names)):
        return
    is_known = kind in {NOBODY_ELSE, SOME_PROJECTS}
    yield _finding(
        each,
        Outcome.WRONG if is_known else Outcome.NOT_LOOKED_AT,
        needed=f"shared with project {stack.project}",
        there=f"shared with {', '.join(sorted(shared_with)) or 'no project'}"
        if is_known
        else f"shared by {kind}, and it is not known whether that includes the project",
        fix=f"Let somebody of project {each.project} share it with {stack.project}."
        if is_known
        else "",
        command=f"gcloud compute reservations update {each.name} --project={each.project} "
        f"--zone={each.zone} --add-share-with={stack.project}"
        if is_known
        else "",
    )


def _room(each: ReservedInZone, found: Reservation, room: Room) -> Finding:
    usable = found.count - found.in_use + room.own
    there = f"{found.count} machines, {found.in_use} in use" + (
        f", {room.own} of them by this stack" if room.own else ""
    )
    if room.up > usable:
        outcome, wanted = Outcome.WRONG, room.up
        fix = f"It lacks {room.up - usable}. Make it larger, or the pools smaller."
    elif room.most > usable:
        outcome, wanted = Outcome.WARNING, room.most
        fix = (
            "Enough for now. With all its pools at their largest (and doubled by replacement: "
            f"surge) {room.most} are needed: {room.most - usable} more."
        )
    else:
        outcome, wanted, fix = Outcome.OK, room.most, ""
    return _finding(
        each,
        outcome,
        needed=f"{room.up} machines (pool {_pools(each)})",
        there=there,
        fix=fix,
        command=""
        if outcome is Outcome.OK
        else f"gcloud compute reservations update {each.name} --project={each.project} "
        f"--zone={each.zone} --vm-count={wanted - room.own + found.in_use}",
    )


def _finding(
    each: ReservedInZone,
    outcome: Outcome,
    *,
    needed: str,
    there: str,
    fix: str,
    command: str = "",
) -> Finding:
    return Finding(
        area=Area.ZONE,
        subject=subject_of(each),
        outcome=outcome,
        needed=needed,
        there=there,
        fix=fix,
        command=command,
    )


def subject_of(each: ReservedInZone) -> str:
    """What findings call a reservation."""
    return f"reservation {each.title} in {each.zone}"


def _pools(each: ReservedInZone) -> str:
    return ", ".join(pool.name for _, pool in each.pools)
