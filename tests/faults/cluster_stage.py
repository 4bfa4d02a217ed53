"""The whole rehearsal as a place for cases: settings, signals at steps, and what has to hold."""

import copy
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import httpx
import kr8s
import psutil

from rehearsal.engine.events import ResourceEvent, parse_event
from rehearsal.toolchain import Binaries
from rehearsal.workspace import pulumi_environment
from tests.faults.engine_state import EngineState
from tests.faults.google_stage import LIMIT_S, Done
from tests.faults.run_case import GONE_S, providers_of
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, Settings
from tests.rehearsal.kr8s_client import connect_blocking

Fleet = Literal["two teams", "three teams"]

ZONE, OTHER_ZONE = "us-central1-c", "us-central1-a"
"""Where all nodes are, and where those of a100-auto begin."""

_KINDS = (
    "namespaces",
    "serviceaccounts",
    "resourcequotas",
    "limitranges",
    "networkpolicies",
    "rolebindings",
    "services",
    "daskclusters.kubernetes.dask.org",
)
"""Kinds whose objects have the same names in every fleet that is declared the same."""

_OF_THE_SYSTEM = ("kube-", "gke-", "gmp-", "default")


@dataclass(frozen=True, kw_only=True)
class Picture:
    """What a clean run leads to."""

    objects: Mapping[str, list[str]]
    pools: Mapping[str, str]
    pods: Mapping[str, int]
    """Ready Dask pods by team and role."""
    ids: list[str]


@dataclass(frozen=True, kw_only=True)
class Cut:
    """How an `up` ended in which something was to happen."""

    acted: bool
    exit_code: int
    said: str


class ClusterStage:
    """A rehearsal with room for a third team."""

    def __init__(self, rehearsal: RunningRehearsal, *, binaries: Binaries) -> None:
        self.rehearsal = rehearsal
        self._pulumi = binaries.pulumi
        self._environment = pulumi_environment(
            rehearsal.workspace, base_url=rehearsal.base_url, binaries=binaries
        )
        base = rehearsal.base
        base["daskfleet:scheduler_pool"] |= {
            "machine_type": "n1-standard-8",
            "schedulers_per_gpu": 3,
        }
        (auto,) = (p for p in base["daskfleet:worker_pools"] if p["name"] == "a100-auto")
        auto["zones"] = [OTHER_ZONE, ZONE]
        self.at: Fleet | None = None
        self.state = EngineState(rehearsal.workspace.state_dir, stack=rehearsal.workspace.stack)

    def settings(self, fleet: Fleet) -> Settings:
        """Return the settings of a fleet."""
        settings = copy.deepcopy(self.rehearsal.base)
        if fleet == "three teams":
            third = {"name": "survey", "workers": 1, "worker_pool": "a100-auto"}
            settings["daskfleet:teams"].append({**third, "ready_timeout_s": 60})
        return settings

    def bring_to(self, fleet: Fleet) -> None:
        """Bring the stack to a fleet, unless it is there."""
        if self.at != fleet:
            self.at = None
            done = self.up(fleet)
            assert done.exit_code == 0, done.said
            self.at = fleet

    def begin_anew(self) -> None:
        """Get past whatever a failed case left; the next case shows whether that succeeded."""
        self.at = None
        self.rehearsal.inject()
        self.recover()

    def up(self, fleet: Fleet, *options: str) -> Done:
        """Run `pulumi up`."""
        self.at = None
        self.rehearsal.configure(self.settings(fleet))
        return self._finish(self._start_up(*options))

    def recover(self) -> Done:
        """Run `daskfleet recover`."""
        return self._finish(self._start(sys.executable, "-m", "daskfleet", "recover"))

    def up_until(
        self,
        fleet: Fleet,
        is_there: Callable[[ResourceEvent], bool],
        act: Callable[["subprocess.Popen[str]"], None],
    ) -> "Cut":
        """Run `pulumi up` and act at the first such step."""
        self.at = None
        self.rehearsal.configure(self.settings(fleet))
        process = self._start_up("--json")
        plugins: list[psutil.Process] = []
        acted = False
        assert process.stdout
        said = []
        for line in process.stdout:
            said.append(line)
            event = parse_event(line) if line.startswith("{") else None
            if not acted and isinstance(event, ResourceEvent) and is_there(event):
                acted = True
                plugins = providers_of(process.pid)
                act(process)
        process.wait(timeout=LIMIT_S)
        _, alive = psutil.wait_procs(plugins, timeout=GONE_S)
        assert not alive, "plugins outlive their engine"
        return Cut(acted=acted, exit_code=process.returncode, said="".join(said))

    def until_ready(self, clean: Picture) -> None:
        """Wait until the cluster has come back by itself."""
        deadline = time.monotonic() + LIMIT_S
        while True:
            try:
                found = self.picture()
                said = f"{found.pods} {found.pools}"
                if (found.pods, found.pools) == (clean.pods, clean.pools):
                    return
            except (kr8s.APITimeoutError, kr8s.ServerError, httpx.HTTPError, OSError) as error:
                said = repr(error)
            assert time.monotonic() < deadline, f"{said}, not {clean.pods} {clean.pools}"
            time.sleep(0.5)

    def picture(self) -> Picture:
        """Look at Google, the cluster and the state."""
        rehearsal = self.rehearsal
        api = connect_blocking(rehearsal.cluster.kubeconfig)
        pods: dict[str, int] = {}
        for pod in rehearsal.see().pods:
            if pod.team and pod.is_ready and not pod.is_leaving:
                key = f"{pod.team} {pod.role}"
                pods[key] = pods.get(key, 0) + 1
        return Picture(
            objects={kind: _names(api, kind) for kind in _KINDS},
            pools=self._pools(),
            pods=pods,
            ids=self.state.ids,
        )

    def _pools(self) -> dict[str, str]:
        (clusters,) = (
            held for path, held in self.rehearsal.google_resources().items() if "clusters" in path
        )
        return {
            f"{cluster['name']} {pool['name']}": pool["status"]
            for cluster in clusters or []
            for pool in cluster["nodePools"]
        }

    def _start_up(self, *options: str) -> "subprocess.Popen[str]":
        return self._start(str(self._pulumi), *_UP, *options)

    def _start(self, *command: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            command,
            cwd=PROJECT_DIR,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            process_group=0,
        )

    def _finish(self, process: "subprocess.Popen[str]") -> Done:
        said, _ = process.communicate(timeout=LIMIT_S)
        return Done(exit_code=process.returncode, said=said)


_UP = ("up", "--yes", "--skip-preview", "--non-interactive", "--color=never")


def _names(api: kr8s.Api, kind: str) -> list[str]:
    found: list[Any] = list(api.get(kind, namespace=kr8s.ALL))
    return sorted(
        f"{item.namespace}/{item.name}"
        for item in found
        if not (item.namespace or item.name).startswith(_OF_THE_SYSTEM)
    )
