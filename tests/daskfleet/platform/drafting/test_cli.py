"""``daskfleet draft`` on the emulator, as it is typed."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import yaml

from bench.reference_guide import guide_cluster, scheduler_pool
from daskfleet.platform.drafting.ask_kubernetes import is_server_of
from daskfleet.settings.stack_file import read_stack_file
from rehearsal.workspace import ENDPOINTS
from tests.rehearsal.emulator.running import emulated_in_thread

PLACE = "projects/acme-research/locations/us-central1-c"
Done = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Desk:
    """Where somebody types, with a project of Pulumi and the guide's cluster."""

    directory: Path
    base_url: str

    def draft(self, *words: str, cluster: str = "rapids-gpu") -> Done:
        """Type the command."""
        command = (sys.executable, "-m", "daskfleet", "draft", cluster)
        where = ("--project", "acme-research", "--location", "us-central1-c")
        paths = {name: f"{self.base_url}/{path}" for name, path in ENDPOINTS.items()}
        return subprocess.run(
            (*command, *where, *words),
            cwd=self.directory,
            env={
                "HOME": str(self.directory),
                "GOOGLE_OAUTH_ACCESS_TOKEN": "a-token-that-opens-nothing",
                **paths,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def writes(self) -> int:
        """How many requests were to change something at Google."""
        log = (self.directory / "requests.jsonl").read_text(encoding="utf-8")
        return sum('"method": "GET"' not in line for line in log.splitlines())


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """One on which the guide has been followed."""
    with emulated_in_thread(tmp_path) as emulator:
        clusters = f"{emulator.base_url}/container/v1/{PLACE}/clusters"
        for url, body in (
            (clusters, {"cluster": guide_cluster()}),
            (f"{clusters}/rapids-gpu/nodePools", {"nodePool": scheduler_pool()}),
        ):
            httpx.post(url, json=body, timeout=60).raise_for_status()
        (tmp_path / "Pulumi.yaml").write_text("name: daskfleet\nruntime: python\n")
        (tmp_path / "stacks").mkdir()
        yield Desk(tmp_path, emulator.base_url)


def test_a_draft_goes_to_the_file_of_the_stack_that_is_named(desk: Desk) -> None:
    before = desk.writes()

    done = desk.draft("--stack", "prod")

    assert desk.writes() == before > 0
    file = desk.directory / "stacks" / "Pulumi.prod.yaml"
    draft = read_stack_file(file)
    assert done.returncode == 3, done.stderr
    assert [problem.key for problem in draft.problems] == ["teams"]
    assert yaml.safe_load(file.read_text(encoding="utf-8"))["config"]["daskfleet:worker_pools"] == [
        {"name": "a100", "machine_type": "a2-highgpu-2g", "disk_size_gb": 100, "node_count": 3}
    ]
    assert "datapathProvider" in done.stdout
    assert "$ pulumi stack init prod" in done.stdout


def test_a_stack_file_that_is_there_is_not_written_over(desk: Desk) -> None:
    file = desk.directory / "stacks" / "Pulumi.prod.yaml"
    file.write_text("mine\n", encoding="utf-8")

    done = desk.draft("--stack", "prod")

    assert (done.returncode, file.read_text(encoding="utf-8")) == (1, "mine\n")
    assert "nothing is written over it" in done.stderr


@pytest.mark.parametrize("name", ["../prod", ""])
def test_no_file_is_written_elsewhere(desk: Desk, name: str) -> None:
    done = desk.draft("--stack", name)

    assert done.returncode == 1
    assert "is no name for a stack file" in done.stderr


def test_without_a_stack_the_draft_alone_is_on_standard_output(desk: Desk) -> None:
    done = desk.draft()

    assert done.stdout.startswith("# yaml-language-server")
    assert "All of this stays as it is." in done.stderr
    assert [*(desk.directory / "stacks").iterdir()] == []


def test_a_cluster_that_is_not_there_is_named_in_googles_words(desk: Desk) -> None:
    done = desk.draft(cluster="nosuch")

    assert done.returncode == 1
    assert "nosuch" in done.stderr
    assert "Traceback" not in done.stderr


ADDRESSES = {"203.0.113.7", "gke-1.us-central1-c.gke.goog"}


@pytest.mark.parametrize(
    "server",
    [
        "https://203.0.113.7",
        "https://203.0.113.7:443",
        "https://gke-1.us-central1-c.gke.goog",
    ],
)
def test_a_kubeconfig_that_leads_to_the_cluster_is_used(server: str) -> None:
    assert is_server_of(server, ADDRESSES)


@pytest.mark.parametrize(
    "server",
    [
        "https://203.0.113.70",
        "https://203.0.113.7.example",
        "https://127.0.0.1:6443",
        "https://ann@203.0.113.8/?203.0.113.7",
        "not a url",
    ],
)
def test_a_kubeconfig_of_another_cluster_is_not(server: str) -> None:
    assert not is_server_of(server, ADDRESSES)
