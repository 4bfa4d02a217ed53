"""Pure: the pod of a team's Dask scheduler."""

import json

from daskfleet.contract.dask import COMM_PORT, DASHBOARD_PORT
from daskfleet.planning.plan import TeamPlan
from daskfleet.settings.scheduler import ROUTES_VARIABLE
from manifests.dask_pod import (
    FIND_DRIVER,
    Container,
    PodSpec,
    literal_variables,
    resources,
    restricted,
    with_room,
)
from manifests.placement import scheduler_placement
from manifests.team_secrets import with_secrets
from manifests.team_volumes import with_volumes

HTTP_ROUTES = (
    "distributed.http.scheduler.prometheus",
    "distributed.http.scheduler.info",
    "distributed.http.scheduler.json",
    "distributed.http.health",
    "distributed.http.proxy",
    "distributed.http.statics",
    "distributed.http.scheduler.api",
)
"""Dask's default routes and ``scheduler.api``, through which the operator retires the workers
that a smaller ``workers`` costs; without it the operator picks its victims blindly."""


def scheduler_pod(plan: TeamPlan) -> PodSpec:
    """Describe the scheduler's pod."""
    pod = {
        **restricted(grace_period_s=30),
        **scheduler_placement(plan),
        **with_room(_container(plan), shm_gib=1),
    }
    return with_volumes(with_secrets(pod, plan.team), plan.team)


def _container(plan: TeamPlan) -> Container:
    # A graph that takes minutes to unpack blocks the event loop that answers /health.
    health = {"httpGet": {"path": "/health", "port": "http-dashboard"}}
    return {
        "name": "scheduler",
        "image": plan.image.ref,
        "args": [
            *plan.team.scheduler.command,
            *("--host", "0.0.0.0"),  # noqa: S104  (a pod; the network policy decides who calls)
            *("--port", str(COMM_PORT)),
            *("--dashboard-address", f":{DASHBOARD_PORT}"),
        ],
        "env": [
            *(FIND_DRIVER if plan.scheduler.gpus else ()),
            {"name": ROUTES_VARIABLE, "value": json.dumps(HTTP_ROUTES)},
            *literal_variables(plan.team.scheduler.environment),
        ],
        "ports": [
            {"name": "tcp-comm", "containerPort": COMM_PORT, "protocol": "TCP"},
            {"name": "http-dashboard", "containerPort": DASHBOARD_PORT, "protocol": "TCP"},
        ],
        "startupProbe": {**health, "periodSeconds": 5, "failureThreshold": 60},
        "readinessProbe": {**health, "periodSeconds": 10, "timeoutSeconds": 10},
        "livenessProbe": {
            **health,
            "periodSeconds": 30,
            "timeoutSeconds": 30,
            "failureThreshold": 10,
        },
        "resources": resources(plan.scheduler),
    }
