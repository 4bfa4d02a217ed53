"""End to end: a fleet comes up with a mirror, a registry with a password, and a team's Secrets.

Whoever brings it up follows docs/registry.md and docs/secrets.md.
"""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
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

PAGES = ("docs/registry.md", "docs/secrets.md")
TEAM = "climate"
MIRROR = "europe-docker.pkg.dev/acme-images/mirror/"
PRIVATE = "registry.acme.example/"
ON_THE_NODE = "cos-nvidia-installer:fixed"
IN_WAREHOUSE = "of the warehouse"
IN_LAKE = "of-the-lake"
FAILURES = "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES"


STEPS = (
    ("create secret generic warehouse", "ContainerCreating"),
    ("create secret generic acme", "ImagePullBackOff"),
    ("create secret generic lake", "CreateContainerConfigError"),
)
"""What is typed, and for what all pods of the team wait then: a kubelet mounts before it pulls, and
looks for variables last."""


class Engineer:
    """Who brings a fleet up by the pages, with a second terminal while `pulumi up` waits."""

    def __init__(self, fleet: RunningRehearsal, directory: Path) -> None:
        self._fleet = fleet
        self._directory = directory
        self._has_said_what_the_registry_wants = False
        self.waited_for: list[str] = []
        login = {"username": "puller", "password": "right"}
        config = {"auths": {PRIVATE.rstrip("/"): login}}
        for name, text in (
            ("config.json", json.dumps(config)),
            ("warehouse.txt", IN_WAREHOUSE),
            ("lake.env", f"LAKE_TOKEN={IN_LAKE}\n"),
        ):
            (directory / name).write_text(text, "utf-8")

    def looks(self) -> str | None:
        """Do what is due at this moment of `up`."""
        record = live_supervisor(self._fleet.workspace)
        if record is None or not record.clusters:
            return None
        if not self._has_said_what_the_registry_wants:
            self._has_said_what_the_registry_wants = self._types("create configmap") == 0
        elif len(self.waited_for) < len(STEPS):
            words, reason = STEPS[len(self.waited_for)]
            waiting = [pod for pod in pods(self._fleet, TEAM) if waits_for(pod) == reason]
            if len(waiting) == len(("scheduler", "worker")):
                self.waited_for.append(reason)
                assert self._types(words) == 0
        time.sleep(0.2)
        return None

    def _types(self, words: str) -> int:
        """Type the pages' command that has these words in it."""
        commands = [each.text for page in PAGES for each in commands_of(page)]
        (command,) = [each for each in commands if words in each]
        done = typed(self._fleet, "bash", "-c", f"cd {self._directory} && {command}")
        return done.returncode


def settings_of_the_pages(base: Settings) -> Settings:
    """The rehearsal's fleet of one team, with what the pages have it write."""
    written = [
        yaml.safe_load(token.content)
        for page in PAGES
        for token in MarkdownIt().parse((PROJECT_DIR / page).read_text("utf-8"))
        if token.type == "fence" and token.info == "yaml"
    ]
    own = {**team(base, TEAM), "workers": 1, "ready_timeout_s": 300}
    settings = dict(base)
    for each in written:
        if "daskfleet:teams" in each:
            (wanted,) = each["daskfleet:teams"]
            own |= wanted
        else:
            settings |= each
    return {**settings, "daskfleet:teams": [own]}


def pods(fleet: RunningRehearsal, *namespaces: str) -> list[dict[str, Any]]:
    """All pods of some namespaces."""
    return [
        pod
        for namespace in namespaces
        for pod in json.loads(kubectl(fleet, "-n", namespace, "get", "pods", "-o", "json"))["items"]
    ]


def waits_for(pod: dict[str, Any]) -> str | None:
    """Why the pod's container waits, where somebody says more than that it is being made."""
    (status,) = pod["status"].get("containerStatuses", [{}])
    waiting = status.get("state", {}).get("waiting", {})
    return waiting["reason"] if "message" in waiting else None


@pytest.fixture(scope="module")
def brought_up(
    binaries: Binaries, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[RunningRehearsal, Engineer]]:
    """A fleet that somebody has brought up by the pages."""
    del binaries
    fleet = RunningRehearsal(tmp_path_factory.mktemp("registry"), dask="run")
    fleet.base = settings_of_the_pages(fleet.base)
    engineer = Engineer(fleet, tmp_path_factory.mktemp("terminal"))
    fleet.up(watch=engineer.looks)
    yield fleet, engineer
    fleet.run("destroy", "--yes", "--skip-preview")
    assert fleet.google_resources() == fleet.resources_before
    assert readers_in_the_other_project(fleet) == []
    end_rehearsal(fleet.workspace, report=print)


def readers_in_the_other_project(fleet: RunningRehearsal) -> list[str]:
    """Who may read images in the project that the page names."""
    url = f"{fleet.base_url}/crm/v1/projects/acme-images:getIamPolicy"
    policy = httpx.post(url, json={}).raise_for_status().json()
    return [
        member
        for binding in policy.get("bindings", [])
        if binding["role"] == "roles/artifactregistry.reader"
        for member in binding["members"]
    ]


def test_pods_wait_for_each_secret_and_up_ends_once_somebody_has_made_all(
    brought_up: tuple[RunningRehearsal, Engineer],
) -> None:
    fleet, engineer = brought_up

    assert engineer.waited_for == [reason for _, reason in STEPS]
    for pod in pods(fleet, TEAM):
        assert pod["spec"]["imagePullSecrets"] == [{"name": "acme"}]
        (status,) = pod["status"]["containerStatuses"]
        assert status["ready"]
    assert work(fleet.up()) == {}


def test_no_pod_of_the_program_comes_from_a_public_registry(
    brought_up: tuple[RunningRehearsal, Engineer],
) -> None:
    fleet, _ = brought_up

    of_program = [
        pod
        for pod in pods(fleet, TEAM, "dask-operator", "kube-system")
        if pod["metadata"]["namespace"] != "kube-system"
        or "nvidia-driver" in pod["metadata"]["name"]
    ]
    images = {
        container["image"]
        for pod in of_program
        for container in (*pod["spec"].get("initContainers", ()), *pod["spec"]["containers"])
    }

    assert ON_THE_NODE in images
    assert any("dask-kubernetes-operator" in image for image in images)
    assert any("/pause:" in image for image in images)
    assert not [
        image for image in images - {ON_THE_NODE} if not image.startswith((MIRROR, PRIVATE))
    ]


def test_the_nodes_may_read_in_the_other_project(
    brought_up: tuple[RunningRehearsal, Engineer],
) -> None:
    fleet, _ = brought_up

    (reader,) = readers_in_the_other_project(fleet)
    assert reader.startswith("serviceAccount:rapids-gpu-nodes@")


def test_tasks_and_the_scheduler_have_the_secrets_and_the_environment(
    brought_up: tuple[RunningRehearsal, Engineer], tmp_path: Path
) -> None:
    fleet, _ = brought_up

    with (
        connected(fleet, TEAM, tmp_path) as connection,
        Client(connection.address, timeout=60) as client,
    ):
        of_task = {
            name: client.submit(os.getenv, name).result(timeout=60)
            for name in ("LAKE_TOKEN", "CUDF_SPILL")
        }
        of_scheduler = {
            name: client.run_on_scheduler(os.getenv, name) for name in ("LAKE_TOKEN", FAILURES)
        }

    assert of_task == {"LAKE_TOKEN": IN_LAKE, "CUDF_SPILL": "on"}
    assert of_scheduler == {"LAKE_TOKEN": IN_LAKE, FAILURES: "10"}
    # A process here has its volumes in a directory of its own, not at the mount's path.
    files = [each for each in fleet.workspace.directory.rglob("password") if each.is_file()]
    assert {each.read_text("utf-8") for each in files} == {IN_WAREHOUSE}


def test_no_member_may_read_a_secret_and_the_state_does_not_have_what_it_holds(
    brought_up: tuple[RunningRehearsal, Engineer],
) -> None:
    fleet, _ = brought_up
    member = team(fleet.base, TEAM)["members"][0].removeprefix("user:")
    for name in ("acme", "warehouse", "lake"):
        asking = ("auth", "can-i", "get", f"secret/{name}", "--as", member)
        asked = typed(fleet, "kubectl", "-n", TEAM, *asking)
        assert asked.stdout.strip() == "no"

    state = typed(fleet, "pulumi", "stack", "export", "--show-secrets", "--stack", "rehearsal")
    assert all(f'"{name}"' in state.stdout for name in ("acme", "warehouse", "lake"))
    assert not [word for word in ("puller", IN_WAREHOUSE, IN_LAKE) if word in state.stdout]
