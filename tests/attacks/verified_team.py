"""A team whose scheduler is hostile, on a control plane that runs pods as processes, to verify."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from components.outputs.notice import notice, notice_text
from components.team import namespace_labels
from daskfleet.contract.dask import (
    CLUSTER_LABEL,
    COMM_PORT,
    COMPONENT_LABEL,
    DASHBOARD_PORT,
    SERVICE_ACCOUNT,
    SERVICE_NAME,
)
from daskfleet.contract.declared import DeclaredTeam
from daskfleet.contract.nodes import GPU_TAINT, POOL_LABEL, SCHEDULER_TAINT
from daskfleet.contract.notice import CONFIG_MAP, KEY
from daskfleet.planning.node_pool_spec import gpu_pool_specs
from daskfleet.settings.team import Quota
from manifests.dask_pod import restricted
from manifests.placement import tolerate
from manifests.team_quotas import gpu_quota, team_quota
from rehearsal.control_plane import ControlPlane
from tests.components.fleets import fleet
from tests.project import PROJECT_DIR
from tests.rehearsal.control_plane.conftest import ApiClient
from tests.rehearsal.kubelets import kubelets

Document = dict[str, Any]

TEAM = "verified"
"""Of its own: one API server has the teams of all attacks."""

CORE = f"/api/v1/namespaces/{TEAM}"
JOBS = f"/apis/batch/v1/namespaces/{TEAM}/jobs"
QUOTA = f"{CORE}/resourcequotas/team"
OF_DASK = {CLUSTER_LABEL: TEAM, COMPONENT_LABEL: "scheduler"}


@dataclass(frozen=True, kw_only=True)
class VerifiedTeam:
    """The team, and the engineer who looks at it."""

    control_plane: ControlPlane
    platform: ApiClient
    code: Path
    """What is run by whoever unpickles the scheduler's answer."""

    def environment(self, **more: str) -> dict[str, str]:
        """All that an engineer has."""
        kubeconfig = str(self.control_plane.admin_kubeconfig)
        inherited = {name: value for name, value in os.environ.items() if name != "PULUMI_STACK"}
        return inherited | more | {"KUBECONFIG": kubeconfig, "PYTHONPATH": str(PROJECT_DIR)}

    def verify(self, **environment: str) -> subprocess.Popen[str]:
        """Begin to look."""
        return subprocess.Popen(
            [sys.executable, "-m", "daskfleet", "verify", TEAM, "--json"],
            cwd=PROJECT_DIR,
            env=self.environment(**environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def verified(self, **environment: str) -> dict[str, Document]:
        """Look to the end, and return the checks by name."""
        with self.verify(**environment) as running:
            said, errors = running.communicate(timeout=240)
        assert running.returncode in {0, 3}, errors
        assert all(line.isprintable() for line in said.splitlines())
        (team,) = json.loads(said)["teams"]
        return {check["name"]: check for check in team["checks"]}

    def jobs(self) -> list[Document]:
        """The Jobs of the namespace."""
        return list(self.platform.get(JOBS).json()["items"])

    def asking_pods(self) -> list[str]:
        """Names of pods but for the scheduler's."""
        pods = self.platform.get(f"{CORE}/pods").json()["items"]
        names = [pod["metadata"]["name"] for pod in pods]
        return [name for name in names if name != f"{TEAM}-scheduler"]


def make_team(platform: ApiClient, code: Path) -> None:
    """Make what `pulumi up` makes of a team, and a node; the scheduler is somebody else's."""
    plan = fleet(teams=[{"name": TEAM, "workers": 1, "quota": {}}]).teams[0]
    told = notice(plan, stack=fleet().stack, pools=gpu_pool_specs(fleet().stack), stack_name="prod")
    labels = namespace_labels({})
    platform.create("/api/v1/namespaces", {"metadata": {"name": TEAM, "labels": labels}})
    _create(platform, "serviceaccounts", SERVICE_ACCOUNT)
    _create(platform, "configmaps", CONFIG_MAP, data={KEY: notice_text(told)})
    hard = team_quota(Quota(), plan=plan) | gpu_quota(plan)
    _create(platform, "resourcequotas", "team", spec={"hard": hard})
    platform.wait_for(QUOTA, lambda quota: quota.get("status", {}).get("hard") == hard)
    ports = [{"name": f"p{port}", "port": port} for port in (COMM_PORT, DASHBOARD_PORT)]
    _create(platform, "services", SERVICE_NAME, spec={"selector": OF_DASK, "ports": ports})
    platform.create("/api/v1/nodes", _node(told.teams[TEAM]))
    platform.create(f"{CORE}/pods", _scheduler(code))
    scheduler = f"{CORE}/pods/{TEAM}-scheduler"
    platform.wait_for(scheduler, lambda pod: pod["status"]["phase"] == "Running")


@contextmanager
def verified_team(control_plane: ControlPlane, directory: Path) -> Iterator[VerifiedTeam]:
    """Run its pods for as long as that is needed."""
    code = directory / "code.py"
    code.touch()
    with (
        kubelets(control_plane, directory),
        ApiClient(control_plane, token=control_plane.client_token) as platform,
    ):
        make_team(platform, code)
        yield VerifiedTeam(control_plane=control_plane, platform=platform, code=code)


def _create(platform: ApiClient, plural: str, name: str, **content: Any) -> None:
    platform.create(f"{CORE}/{plural}", {"metadata": {"name": name}, **content})


def _node(team: DeclaredTeam) -> Document:
    size = {"cpu": "4", "memory": "15Gi", "pods": "32"}
    metadata = {
        "name": "n1",
        "annotations": {"kwok.x-k8s.io/node": "fake"},
        "labels": {POOL_LABEL: team.scheduler_pool, "kubernetes.io/hostname": "n1"},
    }
    taints = [tolerate(taint) for taint in (GPU_TAINT, SCHEDULER_TAINT)]
    for taint in taints:
        del taint["operator"]
    return {
        "metadata": metadata,
        "spec": {"taints": taints},
        "status": {"capacity": size, "allocatable": size},
    }


def _scheduler(code: Path) -> Document:
    """A pod of the team's whose answers are code."""
    run = f"exec(open({str(code)!r}).read())"
    here = {"name": "HERE", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}}
    container = {
        "name": "scheduler",
        "image": "example/any:1",
        "args": ["python", "-m", "tests.attacks.hostile_scheduler", run, "$(HERE)", str(COMM_PORT)],
        "env": [here, {"name": "PYTHONPATH", "value": str(PROJECT_DIR)}],
        "ports": [{"containerPort": port} for port in (COMM_PORT, DASHBOARD_PORT)],
        "resources": {"requests": {"cpu": "1", "memory": "4Gi"}},
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
    }
    spec = {
        **restricted(grace_period_s=1),
        "tolerations": [tolerate(GPU_TAINT), tolerate(SCHEDULER_TAINT)],
        "containers": [container],
    }
    return {"metadata": {"name": f"{TEAM}-scheduler", "labels": OF_DASK}, "spec": spec}
