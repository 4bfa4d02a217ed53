"""Pure: what a JupyterLab runs, and how it is led to the team's Dask cluster."""

import hashlib
import json
from typing import Any

from daskfleet.contract.dask import DASHBOARD_PORT, SERVICE_NAME
from daskfleet.contract.jupyter import JUPYTER
from daskfleet.planning.plan import JupyterPlan, TeamPlan
from manifests.dask_pod import FIND_DRIVER, Container, PodSpec, resources, restricted, with_room
from manifests.dask_tls import client_parts
from manifests.jupyter_lab import Lab
from manifests.placement import jupyter_placement
from manifests.team_secrets import with_secrets
from manifests.team_volumes import with_volumes

PORT = 8888
TOKEN_KEY = "token"  # noqa: S105  (its name)

HOME = "/home/team"
"""Not RAPIDS' own /home/rapids, in which the images keep their entrypoint (rapidsai/docker,
Dockerfile): a volume there would hide it."""

CONFIG = "/etc/daskfleet/jupyter"
TOKEN = "/var/run/secrets/daskfleet/jupyter"  # noqa: S105  (where it is)

FILES_OF_GROUP = 1000
"""``fsGroup``: the volume's files belong to it, and the pod's user is in it. Any number will do;
this one is the user group that the images had first."""

GRACE_PERIOD_S = 30

SERVER_KEY = "server"
LAB_KEY = "lab"


def config_data(team: str) -> dict[str, str]:
    """The files by which server and extensions are configured.

    Requests are answered that call the server localhost, as those through a port-forward do: so a
    page of elsewhere cannot have itself forwarded there by a name of its own. It proxies to the
    team's dashboard and to nothing else.
    """
    server = {
        "ServerApp": {"allow_remote_access": False, "port_retries": 0},
        "ServerProxy": {"host_allowlist": [_host(team)]},
    }
    # The dashboard by this server's proxy; and no list of clusters that one may start: there is
    # one, and what the image would start is a cluster on the GPUs of this pod.
    lab = {
        "dask-labextension:plugin": {
            "defaultURL": f"proxy/{_host(team)}:{DASHBOARD_PORT}",
            "hideClusterManager": True,
        }
    }
    return {SERVER_KEY: _json(server), LAB_KEY: _json(lab)}


def config_name(lab: Lab) -> str:
    """Name of the ConfigMap: other content is another object, and with it another pod."""
    digest = hashlib.sha256(_json(config_data(lab.team.name)).encode()).hexdigest()
    return f"{lab.name}-config-{digest[:8]}"


def pod_spec(plan: TeamPlan, jupyter: JupyterPlan, lab: Lab, *, system_pool: str) -> PodSpec:
    """Describe the pod, which runs on the system pool's nodes where it has no GPU."""
    pod = restricted(grace_period_s=GRACE_PERIOD_S)
    room = with_room(_container(plan, jupyter), shm_gib=1)
    (container,) = room["containers"]
    client = client_parts(plan.team)
    mounts = [
        {"name": "home", "mountPath": HOME},
        {"name": "token", "mountPath": TOKEN, "readOnly": True},
        {"name": "config", "mountPath": CONFIG, "readOnly": True},
        *client.mounts,
    ]
    files = [
        {"key": SERVER_KEY, "path": "jupyter_server_config.json"},
        {"key": LAB_KEY, "path": "labconfig/default_setting_overrides.json"},
    ]
    described = {
        **pod,
        "securityContext": {
            **pod["securityContext"],
            "fsGroup": FILES_OF_GROUP,
            "fsGroupChangePolicy": "OnRootMismatch",
        },
        **jupyter_placement(jupyter, system_pool=system_pool),
        "containers": [{**container, "volumeMounts": [*container["volumeMounts"], *mounts]}],
        "volumes": [
            *room["volumes"],
            *client.volumes,
            {"name": "home", "persistentVolumeClaim": {"claimName": lab.home_claim}},
            {"name": "token", "secret": {"secretName": lab.token_secret}},
            {
                "name": "config",
                "configMap": {"name": config_name(lab), "items": files},
            },
        ],
    }
    return with_volumes(with_secrets(described, plan.team), plan.team)


def _container(plan: TeamPlan, jupyter: JupyterPlan) -> Container:
    health = {
        # Who asks calls the server by the pod's address, which is not localhost.
        "httpGet": {
            "path": "/api",
            "port": JUPYTER,
            "httpHeaders": [{"name": "Host", "value": "localhost"}],
        }
    }
    return {
        "name": JUPYTER,
        "image": jupyter.image.ref,
        # In place of the image's own command, which sets an empty token.
        "args": [
            "jupyter-lab",
            "--no-browser",
            "--ServerApp.ip=0.0.0.0",
            f"--ServerApp.port={PORT}",
            f"--ServerApp.root_dir={HOME}",
        ],
        "env": [
            *({"name": name, "value": value} for name, value in _environment(plan).items()),
            *client_parts(plan.team).env,
            *(FIND_DRIVER if jupyter.pod.gpus else ()),
        ],
        "ports": [{"name": JUPYTER, "containerPort": PORT, "protocol": "TCP"}],
        "startupProbe": {**health, "periodSeconds": 5, "failureThreshold": 60},
        "readinessProbe": {**health, "periodSeconds": 10, "timeoutSeconds": 10},
        "resources": resources(jupyter.pod),
    }


def _environment(plan: TeamPlan) -> dict[str, str]:
    return {
        "HOME": HOME,
        "JUPYTER_CONFIG_PATH": CONFIG,
        "JUPYTER_TOKEN_FILE": f"{TOKEN}/{TOKEN_KEY}",
        # Jupyter writes its address there, and the token with it: not onto the disk.
        "JUPYTER_RUNTIME_DIR": "/scratch/jupyter",
        # `Client()` connects to it.
        "DASK_SCHEDULER_ADDRESS": client_parts(plan.team).address,
        "DASK_DISTRIBUTED__DASHBOARD__LINK": "/proxy/{host}:{port}/status",
        # The image's would start a LocalCUDACluster in this pod.
        "DASK_LABEXTENSION__FACTORY__MODULE": "dask.distributed",
        "DASK_LABEXTENSION__FACTORY__CLASS": "Client",
    }


def service_spec(lab: Lab) -> dict[str, Any]:
    """The Service that port-forwards name; no network policy lets anybody else in."""
    ports = [{"name": JUPYTER, "protocol": "TCP", "port": PORT, "targetPort": JUPYTER}]
    return {"type": "ClusterIP", "selector": lab.selector, "ports": ports}


def _host(team: str) -> str:
    return f"{SERVICE_NAME}.{team}.svc.cluster.local"


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, sort_keys=True) + "\n"
