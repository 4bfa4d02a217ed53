"""Groups of workers, and settings of workers, that could not do what they say."""

import re
from collections.abc import Iterator, Sequence

from daskfleet.catalog.accelerators import accelerators
from daskfleet.planning.names import CLUSTER_SUFFIX_LENGTH
from daskfleet.planning.plan import FIRST_GROUP
from daskfleet.planning.resources import GroupRequest, first_groups
from daskfleet.planning.several_gpus import several_gpu_problems
from daskfleet.settings.problems import Problem
from daskfleet.settings.team import Team

LABEL_MAX_LENGTH = 63
"""Characters of a label's value; a DaskWorkerGroup's name is one on each of its pods."""

OWN_VARIABLES = {
    "LD_LIBRARY_PATH": "The program sets it, so that processes find the NVIDIA driver.",
    "DASK_WORKER_NAME": "The operator sets it, and retires workers by that name.",
    "DASK_SCHEDULER_ADDRESS": "It is the address of the team's scheduler.",
    "CUDA_VISIBLE_DEVICES": "Kubernetes shows a pod the GPU that it has, and no other.",
    "NVIDIA_VISIBLE_DEVICES": "Kubernetes shows a pod the GPU that it has, and no other.",
}
OWN_PREFIXES = {
    "DASK_DISTRIBUTED__COMM__": "Scheduler, workers and clients agree on how they connect."
}

SECRET = re.compile(
    r"(^|_)(SECRET|PASSWORD|PASSWD|TOKEN|CREDENTIALS?|((API|ACCESS|PRIVATE)_?KEY))(_|$)",
    re.IGNORECASE,
)

GPU = "GPU"
"""The Dask resource that stands for a worker's GPU."""

PROCESSES = "--nworkers"

FLAGS = {"rmm_pool_size": "--rmm-pool-size", "protocol": "--protocol", "resources": "--resources"}
"""Settings that a command may say too."""

UCX_WARNING = (
    "Team {team}: protocol ucx. Pods have neither a network with RDMA nor each other's GPU memory "
    "here, so UCX sends by TCP as well; nobody has measured it to be faster than tcp."
)


def worker_group_problems(requests: Sequence[GroupRequest]) -> Iterator[Problem]:
    """What each team's workers cannot be, by themselves or beside each other."""
    for first in first_groups(requests):
        yield from _names(first.index, first.team)
        yield from _protocols([request for request in requests if request.team is first.team])
    for request in requests:
        yield from _environment(request)
        yield from _said_twice(request)
        yield from _gpu_memory(request)
        yield from _threads(request)
        yield from _processes(request)
        yield from _gpu_resource(request)
        yield from several_gpu_problems(request)


def worker_group_warnings(requests: Sequence[GroupRequest]) -> Iterator[str]:
    """What works, and may disappoint."""
    for request in first_groups(requests):
        if request.settings.protocol == "ucx":
            yield UCX_WARNING.format(team=request.team.name)


def _names(index: int, team: Team) -> Iterator[Problem]:
    names = [group.name for group in team.groups]
    suffix = CLUSTER_SUFFIX_LENGTH if team.rollout.kind == "blue-green" else 0
    longest = LABEL_MAX_LENGTH - len(team.name) - suffix - len("-")
    for place, group in enumerate(team.groups):
        if group.name == FIRST_GROUP:
            reason = "The team's own `workers`, `worker_pool` and `worker` are this group."
        elif group.name in names[:place]:
            reason = "Another group of the team has this name."
        elif len(group.name) > longest:
            reason = (
                "The name of the Dask cluster and this one make a label's value, of at most "
                f"{LABEL_MAX_LENGTH} characters."
            )
        else:
            continue
        yield Problem(
            key=f"teams[{index}].groups[{place}].name",
            value=group.name,
            reason=reason,
            allowed=f"names of at most {longest} characters, each once in a team, and not "
            f"{FIRST_GROUP}",
            next_step="choose another name for the group, or a shorter one for the team.",
        )


def _protocols(of_team: Sequence[GroupRequest]) -> Iterator[Problem]:
    for request in of_team:
        if request.settings.protocol == "ucx" and not request.worker.gpus:
            reason = "UCX is for data in GPU memory, and this pool has no GPUs."
        elif request.settings.protocol == "ucx" and request.team.tls:
            reason = "The team's connections are encrypted (tls), which UCX cannot do."
        elif request.settings.protocol != of_team[0].settings.protocol:
            reason = "Workers of one Dask cluster send each other data, and must speak alike."
        else:
            continue
        yield Problem(
            key=f"{request.key}.worker.protocol",
            value=request.settings.protocol,
            reason=reason,
            allowed="one protocol for all workers of a team; tcp where any of them has no GPU",
            next_step="remove protocol from all of the team's workers, or set ucx on all.",
        )


def _environment(request: GroupRequest) -> Iterator[Problem]:
    for name in request.settings.environment:
        own = OWN_VARIABLES.get(name) or next(
            (why for prefix, why in OWN_PREFIXES.items() if name.startswith(prefix)), None
        )
        if own:
            reason, next_step = own, "remove it."
        elif SECRET.search(name):
            reason = (
                "Its name is that of a secret, and whoever may look at the team's pods, or at this "
                "stack's state, reads its value."
            )
            next_step = (
                "let the workers fetch secrets by an identity of their own, or have clients send "
                "what their tasks need."
            )
        else:
            continue
        yield Problem(
            key=f"{request.key}.worker.environment",
            value=name,
            reason=reason,
            allowed="variables that neither Dask's connections nor the driver depend on, and no "
            "secrets",
            next_step=next_step,
        )


def _said_twice(request: GroupRequest) -> Iterator[Problem]:
    """Flags that the command has already: the command line would have them twice."""
    given = {argument.partition("=")[0] for argument in request.settings.command or ()}
    for setting, flag in FLAGS.items():
        value = getattr(request.settings, setting)
        if flag in given and value and value != "tcp":
            yield Problem(
                key=f"{request.key}.worker.{setting}",
                value=str(value),
                reason=f"The command has {flag} as well.",
                allowed=f"{setting}, or {flag} in the command",
                next_step=f"remove {flag} from the command.",
            )


def _gpu_memory(request: GroupRequest) -> Iterator[Problem]:
    size = request.settings.rmm_pool_size
    if size is None:
        return
    gpus = (accelerators().get(pool.accelerator) for pool in request.chain)
    known = [(gpu.memory_gib, gpu.name) for gpu in gpus if gpu and gpu.memory_gib is not None]
    most, smallest = min(known, default=(0, ""))
    if not request.worker.gpus:
        reason, allowed = "The pool has no GPUs.", "rmm_pool_size on a pool with GPUs"
    elif smallest and size >= most:
        reason = f"A {smallest} has {most:g} GiB, and CUDA itself needs some of it."
        allowed = f"less than {most:g} (GiB), or a fraction such as 0.8"
    else:
        return
    yield Problem(
        key=f"{request.key}.worker.rmm_pool_size",
        value=f"{size:g}",
        reason=reason,
        allowed=allowed,
        next_step="lower it, or remove it.",
    )


def _threads(request: GroupRequest) -> Iterator[Problem]:
    if request.worker.gpus and (request.settings.threads or 1) > 1:
        yield Problem(
            key=f"{request.key}.worker.threads",
            value=str(request.settings.threads),
            reason="Tasks that run at the same time would share one GPU's memory, and none of "
            "them would know.",
            allowed="1 with a GPU; more on a pool without GPUs",
            next_step="remove it; what needs no GPU may have a group on a pool of CPUs.",
        )


def _gpu_resource(request: GroupRequest) -> Iterator[Problem]:
    """More of the Dask resource than there are GPUs."""
    amount, gpus = request.settings.resources.get(GPU, 0), request.worker.gpus
    if amount > gpus:
        has = f"{gpus} GPU{'s' * (gpus > 1)}" if gpus else "no GPU"
        yield Problem(
            key=f"{request.key}.worker.resources",
            value=f"{GPU}: {amount:g}",
            reason=f"Each of these workers has {has}. Dask only counts the number: a task that "
            f"asks for {amount:g} starts anyway, and does not find them.",
            allowed=f"{GPU}: at most {gpus}" if gpus else f"resources without {GPU}",
            next_step=f"remove {GPU}; worker.gpus gives each worker more of them."
            if gpus
            else f"remove {GPU}, or move these workers to a pool with GPUs.",
        )


def _processes(request: GroupRequest) -> Iterator[Problem]:
    """Several Dask workers in one pod: the operator retires workers by the name of their pod."""
    command = request.settings.command or ()
    for index, argument in enumerate(command):
        flag, _, value = argument.partition("=")
        number = value or next(iter(command[index + 1 :]), "")
        if flag == PROCESSES and number != "1":
            yield Problem(
                key=f"{request.key}.worker.command",
                value=f"{PROCESSES} {number}",
                reason="A pod is one Dask worker here: the operator scales and retires workers by "
                "their pods' names, and would recognise none of several in one pod.",
                allowed=f"a command without {PROCESSES}",
                next_step=f"remove {PROCESSES} and raise workers; `threads` is how many tasks one "
                "runs at a time.",
            )
