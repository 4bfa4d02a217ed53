"""One team with a scheduler and a worker, and a member with a kubeconfig."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import LocalCluster

from tests.daskfleet.client.played_fleet import played, pod
from tests.daskfleet.team.connect.api_server import Namespace


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """A scheduler with a worker, in this process."""
    with LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tcp://",
        host="127.0.0.1",
        dashboard_address=None,
    ) as running:
        yield running


@pytest.fixture
def namespace(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Namespace]:
    """What is in the team's namespace; tests change it."""
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    monkeypatch.setenv("PATH", "/nowhere")  # no pulumi
    there = Namespace(pod("one", scheduler=cluster.scheduler_address))
    with played(there, tmp_path):
        yield there
