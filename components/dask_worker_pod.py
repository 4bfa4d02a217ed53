"""Pure: the pod of each worker of a group; the operator stamps all of a group's out of one."""

from components.dask_contract import WORKER_RESOURCES
from components.dask_pod import FIND_DRIVER, Container, PodSpec, resources, restricted, with_room
from components.placement import worker_placement
from planning.plan import TeamPlan, WorkerGroup

WORKER_DASHBOARD_PORT = 8788


def worker_pod(plan: TeamPlan, group: WorkerGroup) -> PodSpec:
    """Describe the pod of one worker of a group of the team's."""
    return {
        **restricted(grace_period_s=60),
        **worker_placement(group),
        **with_room(_container(group, image=plan.image.ref), shm_gib=group.worker.shm_gib),
    }


def _container(group: WorkerGroup, *, image: str) -> Container:
    """No liveness probe: the nanny restarts a dead worker, and a busy one must not be killed."""
    return {
        "name": "worker",
        "image": image,
        "args": [
            *group.command,
            *("--name", "$(DASK_WORKER_NAME)"),  # the operator scales down by this name
            *("--nthreads", str(group.threads)),
            *(_resources() if group.has_gpu else ()),
            *("--dashboard-address", f":{WORKER_DASHBOARD_PORT}"),
            *("--local-directory", "/scratch"),
        ],
        "env": [*FIND_DRIVER] if group.has_gpu else [],
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


def _resources() -> tuple[str, str]:
    return ("--resources", ",".join(f"{key}={n}" for key, n in WORKER_RESOURCES.items()))
