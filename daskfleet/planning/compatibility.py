"""Does the image run: on the driver, on the GPUs, with the commands it is given?"""

from collections.abc import Iterator, Sequence

from daskfleet.catalog.accelerators import accelerators
from daskfleet.catalog.software import newest_gke_drivers
from daskfleet.planning.image_needs import branch_of_channel, branch_of_version
from daskfleet.planning.images import is_pinned
from daskfleet.planning.plan import CUDA_WORKER
from daskfleet.planning.pools import gpu_pools, jupyter_pool_of, worker_pools_of
from daskfleet.planning.team_images import TeamImage
from daskfleet.planning.teams import groups_of
from daskfleet.settings.pools import GpuPool
from daskfleet.settings.problems import Problem, listed, shown
from daskfleet.settings.software import GkeDriver
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team

LEGACY_COMMANDS = {"dask-scheduler": "dask scheduler", "dask-worker": "dask worker"}
"""Scripts that distributed dropped in 2026.6.0 (commit 81b9308b0), and what replaced them."""


def driver_branch(stack: Stack) -> int:
    """The NVIDIA driver branch on all GPU nodes, for example 580."""
    if isinstance(stack.driver, GkeDriver):
        return branch_of_channel(stack.driver.channel)
    return branch_of_version(stack.driver.version)


def compatibility_problems(stack: Stack, images: Sequence[TeamImage]) -> list[Problem]:
    """Images that would not run."""
    return [
        *_driver(stack, images),
        *_compute_capability(stack, images),
        *(problem for image in images for problem in _commands(image)),
    ]


def _driver(stack: Stack, images: Sequence[TeamImage]) -> Iterator[Problem]:
    branch = driver_branch(stack)
    too_new = [image for image in images if not image.needs.are_met_by_driver(branch)]
    if not too_new:
        return
    needed = max(image.needs.driver_branch for image in too_new)
    first = too_new[0].contents.image
    reason = (
        f"{first.ref} ({_teams(too_new)}) has CUDA {first.cuda}, which needs driver branch "
        f"{needed} or newer; this is branch {branch}"
    )
    if isinstance(stack.driver, GkeDriver):
        latest = newest_gke_drivers().latest_branch
        yield Problem(
            key="driver.channel",
            value=stack.driver.channel,
            reason=f"{reason} on GKE {newest_gke_drivers().gke_minor}.",
            allowed=f"LATEST (branch {latest}), or install: daemonset with a version {needed}.x",
            next_step="change the driver, or choose an image for an older CUDA.",
        )
    else:
        yield Problem(
            key="driver.version",
            value=stack.driver.version,
            reason=f"{reason}.",
            allowed=f"version {needed}.x or newer",
            next_step=f"choose a {needed}.x driver, or an image for an older CUDA.",
        )


def _compute_capability(stack: Stack, images: Sequence[TeamImage]) -> Iterator[Problem]:
    for key, pool in gpu_pools(stack):
        gpu = accelerators().get(pool.accelerator)
        if gpu is None:
            continue
        too_new = [
            image
            for image in images
            if not image.needs.are_met_by_gpu(gpu.name) and _runs_on(image.team, pool, stack)
        ]
        if too_new:
            inside = too_new[0].contents.image
            needed = max(image.needs.compute_capability for image in too_new)
            fitting = [
                each.name for each in accelerators().values() if each.compute_capability >= needed
            ]
            yield Problem(
                key=f"{key}.accelerator",
                value=pool.accelerator,
                reason=f"It has compute capability {gpu.compute_capability}, but RAPIDS "
                f"{inside.rapids} for CUDA {inside.cuda} ({_teams(too_new)}) needs {needed}.",
                allowed=", ".join(fitting),
                next_step="choose one of those, or an image that was built for older GPUs.",
            )


def _runs_on(team: Team, pool: GpuPool, stack: Stack) -> bool:
    pools = (
        stack.scheduler_pool,
        *worker_pools_of(team, stack),
        jupyter_pool_of(team, stack),
    )
    return any(each is pool for each in pools)


def _commands(image: TeamImage) -> Iterator[Problem]:
    if image.release is None or image.release.has_dask_scheduler_script:
        return
    groups = groups_of(image.index, image.team)
    workers = ((key, group.worker if group else image.team.worker) for key, group in groups)
    for part, command in (
        *((f"{key}.worker", worker.command or CUDA_WORKER) for key, worker in workers),
        (f"teams[{image.index}].scheduler", image.team.scheduler.command),
    ):
        if command and command[0] in LEGACY_COMMANDS:
            yield Problem(
                key=f"{part}.command",
                value=shown(list(command)),
                reason=f"RAPIDS {image.contents.image.rapids} has distributed {image.release.dask} "
                f"or newer; the script {command[0]} is gone since 2026.6.0: its container would "
                "fail again and again.",
                allowed="[dask, scheduler] for the scheduler, [dask, cuda, worker] for workers",
                next_step=f"write {LEGACY_COMMANDS[command[0]]}, or remove the key.",
            )


def _teams(images: list[TeamImage]) -> str:
    names = [image.team.name for image in images]
    return f"team{'s' if len(names) != 1 else ''} {listed(names)}"


def compatibility_warnings(stack: Stack, images: Sequence[TeamImage]) -> Iterator[str]:
    """What cannot be known beforehand."""
    if isinstance(stack.driver, GkeDriver):
        drivers = newest_gke_drivers()
        yield (
            f"driver.channel {stack.driver.channel}: GKE's table of drivers ends at "
            f"{drivers.gke_minor}, where this is branch {driver_branch(stack)}; a newer node "
            "version may bring another one, and node upgrades change it."
        )
    for image in {each.key: each for each in images}.values():
        if not image.is_in_catalog:
            checked = f"as if it were {image.release.release}" if image.release else "for CUDA only"
            yield (
                f"{image.key}: RAPIDS {image.contents.image.rapids} is not in the catalog; it was "
                f"checked {checked}."
            )
        if not is_pinned(image.contents.image.ref):
            yield (
                f"{image.key}: {image.contents.image.ref} names no version. Tomorrow it may be "
                f"another image, and pods of one Dask cluster may then differ: name a tag or a "
                f"digest."
            )
