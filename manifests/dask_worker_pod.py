"""Pure: the pod of each worker of a group; the operator stamps all of a group's out of one."""

from daskfleet.planning.plan import TeamPlan, WorkerGroup
from manifests.dask_pod import (
    FIND_DRIVER,
    Container,
    PodSpec,
    literal_variables,
    resources,
    restricted,
    with_room,
)
from manifests.one_zone import drawn_together
from manifests.placement import worker_placement
from manifests.spot_drain import draining_flags, draining_variables
from manifests.team_secrets import with_secrets
from manifests.team_volumes import with_volumes

WORKER_DASHBOARD_PORT = 8788


def worker_pod(plan: TeamPlan, group: WorkerGroup) -> PodSpec:
    """Describe the pod of one worker of a group of the team's."""
    pod = {
        **restricted(grace_period_s=60),
        **drawn_together(worker_placement(group), plan.team),
        **with_room(_container(group, image=plan.image.ref), shm_gib=group.worker.shm_gib),
    }
    return with_volumes(with_secrets(pod, plan.team), plan.team)


def _container(group: WorkerGroup, *, image: str) -> Container:
    """No liveness probe: the nanny restarts a dead worker, and a busy one must not be killed."""
    return {
        "name": "worker",
        "image": image,
        "args": [
            *group.command,
            *("--name", "$(DASK_WORKER_NAME)"),  # the operator scales down by this name
            *("--nthreads", str(group.threads)),
            *_resource_flags(group),
            *("--dashboard-address", f":{WORKER_DASHBOARD_PORT}"),
            *("--local-directory", "/scratch"),
            *_data_flags(group),
            *draining_flags(group),
        ],
        "env": [*(FIND_DRIVER if group.has_gpu else ()), *_environment(group)],
        "ports": [
            {"name": "http-dashboard", "containerPort": WORKER_DASHBOARD_PORT, "protocol": "TCP"}
        ],
        "readinessProbe": {
            "httpGet": {"path": "/health", "port": "http-dashboard"},
            "periodSeconds": 10,
            "timeoutSeconds": 10,
            "failureThreshold": 6,
        },
        "resources": resources(group.pod),
    }


def _resource_flags(group: WorkerGroup) -> tuple[str, ...]:
    amounts = ",".join(f"{name}={_amount(n)}" for name, n in group.resources.items())
    return ("--resources", amounts) if amounts else ()


def _amount(number: float) -> str:
    """Write a number so that Dask's ``float`` reads the very same."""
    return str(int(number)) if number == int(number) else repr(number)


def _data_flags(group: WorkerGroup) -> tuple[str, ...]:
    pool, protocol = group.worker.rmm_pool_size, group.worker.protocol
    return (
        # dask-cuda reads a number below 1 as a fraction, and more as bytes (cuda_worker.py).
        *(("--rmm-pool-size", f"{pool:g}" if pool < 1 else f"{pool:g}GiB") if pool else ()),
        # Workers speak the scheduler's protocol, which may be tls, unless they are told another.
        *(("--protocol", protocol) if protocol != "tcp" else ()),
    )


def _environment(group: WorkerGroup) -> list[dict[str, str]]:
    return literal_variables({**draining_variables(group), **group.worker.environment})
