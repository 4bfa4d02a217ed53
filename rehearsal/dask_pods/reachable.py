"""Pure: the objects by which kwok answers `kubectl logs`, `exec` and `port-forward` for one pod."""

import os
from typing import Any

from rehearsal.control_plane.kwok_definitions import API_VERSION
from rehearsal.dask_pods.model import Document
from rehearsal.dask_pods.pod_run import PodRun

PATH = "PATH"


def ways_to_reach(pod: Document, run: PodRun) -> tuple[dict[str, Any], ...]:
    """Return the objects, named like the pod; the pod owns them."""
    containers = [container["name"] for container in pod["spec"]["containers"]]
    return (
        _object("Logs", run, {"logs": [_log(run, name) for name in containers]}),
        _object("Exec", run, {"execs": [_exec(run, name) for name in containers]}),
        _object("PortForward", run, {"forwards": _forwards(run)}),
    )


def _log(run: PodRun, container: str) -> dict[str, Any]:
    return {
        "containers": [container],
        "logsFile": str(run.log_file(container)),
        "previousLogsFile": str(run.log_file(container, previous=True)),
        "follow": True,
    }


def _exec(run: PodRun, container: str) -> dict[str, Any]:
    """Without a PATH of its own, the program that looks again would find itself."""
    path = os.pathsep.join((str(run.place.python.parent), os.defpath))
    variables = {PATH: path, **run.exec_environment(container)}
    return {
        "containers": [container],
        "local": {
            "workDir": str(run.place.directory),
            "envs": [{"name": name, "value": value} for name, value in variables.items()],
        },
    }


def _forwards(run: PodRun) -> list[dict[str, Any]]:
    """Other ports are refused, where a kubelet would try them: kwok knows no range of ports."""
    return [
        {"ports": [port], "target": {"address": run.place.address.loopback, "port": port}}
        for port in run.forwarded_ports()
    ]


def _object(kind: str, run: PodRun, spec: dict[str, Any]) -> dict[str, Any]:
    owner = {"apiVersion": "v1", "kind": "Pod", "name": run.name, "uid": run.uid}
    return {
        "apiVersion": API_VERSION,
        "kind": kind,
        "metadata": {"name": run.name, "namespace": run.namespace, "ownerReferences": [owner]},
        "spec": spec,
    }
