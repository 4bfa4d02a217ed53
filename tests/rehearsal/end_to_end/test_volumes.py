"""End to end: two teams mount a dataset, and one of them has a share to write to.

Whoever brings the fleet up follows docs/volumes.md while `pulumi up` waits for the pods.
"""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from distributed import Client
from markdown_it import MarkdownIt

from rehearsal.stage.teardown import end_rehearsal
from rehearsal.supervisor.launch import live_supervisor
from rehearsal.toolchain import Binaries
from tests.guides.typed import commands_of
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.connect_command import connected
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, Settings, team, work
from tests.rehearsal.end_to_end.shell import typed
from tests.tiers.long_files import LONG

pytestmark = LONG

PAGE = "docs/volumes.md"
TEAM, OTHER = "climate", "genomics"
POOL = "a100-fixed"
IN_DATASET = "of all teams"
MISSING = 'persistentvolumeclaim "reference" not found'


def yaml_of_the_page() -> list[str]:
    """What the page has one write into files."""
    tokens = MarkdownIt().parse((PROJECT_DIR / PAGE).read_text("utf-8"))
    return [each.content for each in tokens if each.type == "fence" and each.info == "yaml"]


def settings_of_the_page(base: Settings) -> Settings:
    """The rehearsal's two teams with the page's volumes, and a JupyterLab for the first."""
    (written,) = [each for each in yaml_of_the_page() if each.startswith("daskfleet:")]
    (wanted,) = yaml.safe_load(written)["daskfleet:teams"]
    small = {"workers": 1, "worker_pool": POOL, "ready_timeout_s": 300}
    first = {**team(base, TEAM), **small, **wanted, "jupyter": {"cpu": 0.5, "memory_gib": 2}}
    second = {**team(base, OTHER), **small, "worker": wanted["worker"]}
    second["volumes"] = [each for each in wanted["volumes"] if each["claim"] == "reference"]
    return {**base, "daskfleet:teams": [first, second]}


class Engineer:
    """Who makes the claims by the page, in a second terminal."""

    def __init__(self, fleet: RunningRehearsal, directory: Path) -> None:
        self._fleet = fleet
        self._directory = directory
        self.typed: list[str] = []
        for content in yaml_of_the_page():
            if content.startswith("# "):
                name = content.splitlines()[0].removeprefix("# ")
                (directory / name).write_text(content, "utf-8")

    def looks(self) -> None:
        """Do what is due at this moment of `up`."""
        record = live_supervisor(self._fleet.workspace)
        if record is not None and record.clusters and not self.typed:
            waiting = [pod for name in (TEAM, OTHER) for pod in pods(self._fleet, name)]
            if len(waiting) > len(("scheduler", "worker") * 2) and all(map(waits, waiting)):
                self._follows_the_page()
        time.sleep(0.2)

    def _follows_the_page(self) -> None:
        for command in (each.text for each in commands_of(PAGE)):
            there = f"cd {self._directory} && {command}"
            done = typed(self._fleet, "bash", "-o", "pipefail", "-c", there)
            assert done.returncode == 0, done.stderr
            self.typed.append(command)


@contextmanager
def connection(fleet: RunningRehearsal, name: str, directory: Path) -> Iterator[Client]:
    """A client of a team's, by `daskfleet connect`."""
    with (
        connected(fleet, name, directory) as found,
        Client(found.address, timeout=60) as client,
    ):
        yield client


def pods(fleet: RunningRehearsal, namespace: str) -> list[dict[str, Any]]:
    """All pods of a namespace."""
    found: list[dict[str, Any]]
    found = json.loads(kubectl(fleet, "-n", namespace, "get", "pods", "-o", "json"))["items"]
    return found


def waits(pod: dict[str, Any]) -> bool:
    """Whether kube-scheduler says that the pod's claim is missing."""
    conditions = pod["status"].get("conditions", ())
    return any(MISSING in each.get("message", "") for each in conditions)


@pytest.fixture(scope="module")
def brought_up(
    binaries: Binaries, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[RunningRehearsal, Engineer]]:
    """A fleet that somebody has brought up by the page."""
    del binaries
    fleet = RunningRehearsal(tmp_path_factory.mktemp("volumes"), dask="run")
    fleet.base = settings_of_the_page(fleet.base)
    engineer = Engineer(fleet, tmp_path_factory.mktemp("terminal"))
    fleet.up(watch=engineer.looks)
    yield fleet, engineer
    fleet.run("destroy", "--yes", "--skip-preview")
    assert fleet.google_resources() == fleet.resources_before
    end_rehearsal(fleet.workspace, report=print)


def test_pods_wait_for_claims_and_up_ends_once_somebody_has_made_them(
    brought_up: tuple[RunningRehearsal, Engineer],
) -> None:
    fleet, engineer = brought_up

    assert len(engineer.typed) == len(list(commands_of(PAGE)))
    claims = json.loads(kubectl(fleet, "get", "pvc", "-A", "-o", "json"))["items"]
    bound = {
        (each["metadata"]["namespace"], each["metadata"]["name"])
        for each in claims
        if each["status"]["phase"] == "Bound"
    }
    assert {(TEAM, "reference"), (TEAM, "results"), (OTHER, "reference")} <= bound
    assert work(fleet.up()) == {}


def test_every_pod_of_the_team_is_admitted_with_its_claims(
    brought_up: tuple[RunningRehearsal, Engineer],
) -> None:
    fleet, _ = brought_up

    mounted = {TEAM: {"reference": True, "results": False}, OTHER: {"reference": True}}
    kinds = set()
    for name, wanted in mounted.items():
        for pod in pods(fleet, name):
            (container,) = pod["spec"]["containers"]
            kinds.add((name, container["name"]))
            sources = [each.get("persistentVolumeClaim", {}) for each in pod["spec"]["volumes"]]
            read_only = {
                each["claimName"]: each.get("readOnly", False)
                for each in sources
                if each.get("claimName", "jupyter-home") != "jupyter-home"
            }
            assert read_only == wanted
    roles = {TEAM: ("scheduler", "worker", "jupyter"), OTHER: ("scheduler", "worker")}
    assert kinds == {(name, role) for name, each in roles.items() for role in each}


def test_tasks_of_both_teams_read_one_dataset_and_what_one_writes_outlives_its_pods(
    brought_up: tuple[RunningRehearsal, Engineer], tmp_path: Path
) -> None:
    fleet, _ = brought_up

    def read(variable: str, name: str) -> str:
        return (Path(os.environ[variable]) / name).read_text("utf-8")

    def write(name: str, text: str) -> str:
        file = Path(os.environ["RESULTS"]) / name
        file.write_text(text, "utf-8")
        return str(file.resolve())

    with connection(fleet, TEAM, tmp_path) as client:
        dataset = client.submit(os.path.realpath, client.submit(os.getenv, "REFERENCE")).result(60)
        (Path(dataset) / "grid").write_text(IN_DATASET, "utf-8")
        assert client.submit(read, "REFERENCE", "grid").result(60) == IN_DATASET
        written = client.submit(write, "run-1", "done", pure=False).result(60)
    with connection(fleet, OTHER, tmp_path) as client:
        assert client.submit(read, "REFERENCE", "grid").result(60) == IN_DATASET
        assert not client.submit(os.path.exists, "/data/results").result(60)

    kubectl(fleet, "-n", TEAM, "delete", "pods", "-l", "dask.org/component=worker")
    assert Path(written).read_text("utf-8") == "done"
    assert not Path(written).is_relative_to(dataset)
