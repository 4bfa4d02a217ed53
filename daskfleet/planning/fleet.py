"""From settings to a fleet, or to one error with every reason why not."""

from daskfleet.planning.accelerators import accelerator_problems
from daskfleet.planning.adaptive import adaptive_problems, adaptive_warnings
from daskfleet.planning.addresses import address_problems
from daskfleet.planning.buckets import bucket_problems
from daskfleet.planning.budget import budget_of
from daskfleet.planning.capacity import Capacity, place
from daskfleet.planning.compatibility import compatibility_problems, compatibility_warnings
from daskfleet.planning.cost import estimate
from daskfleet.planning.cpu_pools import cpu_pool_problems
from daskfleet.planning.cpu_schedulers import cpu_scheduler_problems, cpu_scheduler_warnings
from daskfleet.planning.definitions import definition_problems
from daskfleet.planning.disk_room import disk_warnings
from daskfleet.planning.generations import generation_of
from daskfleet.planning.gpu_sharing import sharing_problems, sharing_warnings
from daskfleet.planning.image_streaming import streaming_problems, streaming_warnings
from daskfleet.planning.jupyter import jupyter_image_problems, jupyter_of
from daskfleet.planning.jupyter_room import jupyter_room_problems, jupyter_warnings
from daskfleet.planning.keys import key_problems
from daskfleet.planning.machine_limits import machine_limit_problems, machine_limit_warnings
from daskfleet.planning.members import member_problems
from daskfleet.planning.monitoring import monitoring_problems
from daskfleet.planning.names import name_problems
from daskfleet.planning.networks import network_problems, network_warnings
from daskfleet.planning.plan import ChainStep, FleetPlan, TeamPlan, WorkerGroup
from daskfleet.planning.prices import price_problems
from daskfleet.planning.quota import surge_quotas
from daskfleet.planning.registry import registry_problems
from daskfleet.planning.reservations import reservation_problems, reservation_warnings
from daskfleet.planning.resources import (
    GroupRequest,
    first_groups,
    group_requests,
    resource_problems,
)
from daskfleet.planning.rollouts import roll_problems
from daskfleet.planning.scheduler_pool import scheduler_pool_warnings
from daskfleet.planning.sleep import sleep_problems, sleep_warnings
from daskfleet.planning.team_images import TeamImage, image_problems, team_images
from daskfleet.planning.team_secrets import secret_problems
from daskfleet.planning.team_volumes import volume_problems
from daskfleet.planning.teams import retired_teams
from daskfleet.planning.worker_chains import chain_problems, chain_warnings
from daskfleet.planning.worker_groups import worker_group_problems, worker_group_warnings
from daskfleet.planning.zones import zone_problems, zone_warnings
from daskfleet.settings.loading import Draft
from daskfleet.settings.problems import Problem, StackRefusedError
from daskfleet.settings.software import DaemonSetDriver
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team

PARTIAL = "Once these are corrected, further checks run."


def plan_fleet(stack: Stack, *, file: str = "settings") -> FleetPlan:
    """The fleet that a stack describes.

    Raises:
        StackRefusedError: it cannot be built, or would not work.
    """
    return plan_draft(Draft(file=file, stack=stack, problems=()))


def plan_draft(draft: Draft) -> FleetPlan:
    """The fleet of a stack file that was read, with the mistakes of its shape among the reasons.

    Raises:
        StackRefusedError: the file has a mistake, or its fleet cannot be built or would not work.
    """
    if draft.stack is None:
        raise StackRefusedError(
            draft.file, draft.problems, lines=draft.lines, files=draft.files, note=PARTIAL
        )
    stack = draft.stack
    images, requests = team_images(stack), group_requests(stack)
    capacity = place(requests, stack=stack)
    known = {problem.key for problem in draft.problems}
    found = _problems(stack, images, requests, capacity)
    if problems := [*draft.problems, *(each for each in found if each.key not in known)]:
        raise StackRefusedError(draft.file, problems, lines=draft.lines, files=draft.files)
    return _fleet(stack, images, requests, capacity, notices=draft.notices)


def _problems(
    stack: Stack,
    images: tuple[TeamImage, ...],
    requests: tuple[GroupRequest, ...],
    capacity: Capacity,
) -> list[Problem]:
    return [
        *accelerator_problems(stack),
        *machine_limit_problems(stack),
        *zone_problems(stack),
        *cpu_pool_problems(stack),
        *cpu_scheduler_problems(stack, requests),
        *price_problems(stack),
        *sharing_problems(stack),
        *image_problems(stack, images),
        *compatibility_problems(stack, images),
        *definition_problems(stack),
        *name_problems(stack),
        *member_problems(stack),
        *bucket_problems(stack),
        *network_problems(stack),
        *address_problems(stack),
        *streaming_problems(stack),
        *registry_problems(stack),
        *key_problems(stack),
        *secret_problems(stack),
        *volume_problems(stack),
        *reservation_problems(stack),
        *monitoring_problems(stack),
        *resource_problems(stack, requests),
        *jupyter_image_problems(images),
        *jupyter_room_problems(stack),
        *worker_group_problems(requests),
        *chain_problems(stack),
        *adaptive_problems(stack),
        *capacity.problems,
        *roll_problems(requests, stack=stack),
        *sleep_problems(stack),
    ]


def _fleet(
    stack: Stack,
    images: tuple[TeamImage, ...],
    requests: tuple[GroupRequest, ...],
    capacity: Capacity,
    *,
    notices: tuple[str, ...],
) -> FleetPlan:
    cost = estimate(stack, placement=capacity.placement, requests=requests)
    budget = budget_of(cost, stack.monthly_budget_usd)
    return FleetPlan(
        stack=stack,
        teams=tuple(
            TeamPlan(
                team=request.team,
                image=image.contents.image,
                worker_pool=request.pool,
                worker_generation=generation_of(request.pool, stack),
                worker_fallbacks=_fallbacks(request, stack),
                scheduler_generation=generation_of(stack.scheduler_pool, stack),
                driver=stack.driver.version if isinstance(stack.driver, DaemonSetDriver) else None,
                worker=request.worker,
                scheduler=request.scheduler,
                jupyter=jupyter_of(image, stack),
                further_groups=_further_groups(request.team, requests, stack),
            )
            for request, image in zip(first_groups(requests), images, strict=True)
        ),
        retired=retired_teams(stack),
        placement=capacity.placement,
        cost=cost,
        surge_quotas=surge_quotas(stack),
        warnings=(
            *notices,
            *map(_retired, retired_teams(stack)),
            *scheduler_pool_warnings(stack, requests, capacity.placement[0]),
            *machine_limit_warnings(stack),
            *cpu_scheduler_warnings(stack, requests),
            *compatibility_warnings(stack, images),
            *worker_group_warnings(requests),
            *network_warnings(stack),
            *zone_warnings(stack),
            *chain_warnings(stack, requests),
            *disk_warnings(stack),
            *sharing_warnings(stack),
            *streaming_warnings(stack),
            *reservation_warnings(stack),
            *sleep_warnings(stack),
            *jupyter_warnings(stack),
            *capacity.warnings,
            *adaptive_warnings(stack),
            *([budget.text] if budget.needs_care else []),
        ),
    )


def _further_groups(
    team: Team, requests: tuple[GroupRequest, ...], stack: Stack
) -> tuple[WorkerGroup, ...]:
    return tuple(
        WorkerGroup(
            name=request.group.name,
            workers=request.workers.count,
            worker=request.settings,
            pod=request.worker,
            pool=request.pool,
            generation=generation_of(request.pool, stack),
            fallbacks=_fallbacks(request, stack),
        )
        for request in requests
        if request.team is team and request.group
    )


def _fallbacks(request: GroupRequest, stack: Stack) -> tuple[ChainStep, ...]:
    return tuple(
        ChainStep(pool=pool, generation=generation_of(pool, stack)) for pool in request.fallbacks
    )


def _retired(team: Team) -> str:
    return (
        f"Team {team.name} is retired: it has no Dask cluster and no address any more. Its "
        "namespace stays as it is and is not protected: once the team's entry is removed, `pulumi "
        "up` deletes it with everything in it."
    )
