"""Unit: the connection file is its owner's, lasts as long as the connection, and is Dask's too."""

import json
import stat
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

from daskfleet.contract.declared import DeclaredTeam
from daskfleet.team.connect.connection_file import Connection, connection_to, text_of, written
from daskfleet.team.connect.errors import ConnectError

TEAM = DeclaredTeam(
    namespace="fraud",
    dask_cluster="fraud",
    address="tcp://dask.fraud.svc.cluster.local:8786",
    dashboard="http://dask.fraud.svc.cluster.local:8787/status",
    image="registry.example/rapids:1",
    rapids="26.10",
    cuda=12,
    workers=2,
    worker_pool="a100",
    scheduler_pool="scheduler-pool",
)


def connection(team: DeclaredTeam = TEAM) -> Connection:
    return connection_to(team, name="fraud", stack="prod", scheduler_port=8786, dashboard_port=8787)


def test_the_file_is_readable_for_its_owner_only_and_goes_with_the_connection(
    tmp_path: Path,
) -> None:
    file = tmp_path / "fraud.connection.json"
    with written(text_of(connection()), file):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert json.loads(file.read_text("utf-8")) == {
            "team": "fraud",
            "stack": "prod",
            "address": "tcp://127.0.0.1:8786",
            "dashboard": "http://127.0.0.1:8787/status",
            "image": "registry.example/rapids:1",
            "rapids": "26.10",
            "cuda": 12,
            "packages": {"dask": "2026.7.1", "distributed": "2026.7.1"},
        }
    assert list(tmp_path.iterdir()) == []


def test_versions_of_an_image_that_the_catalog_does_not_know_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "fraud.connection.json"
    with written(text_of(connection(TEAM.model_copy(update={"rapids": "99.02"}))), file):
        assert "packages" not in json.loads(file.read_text("utf-8"))


def test_the_file_of_a_later_connection_stays(tmp_path: Path) -> None:
    file = tmp_path / "fraud.connection.json"
    file.write_text("of an earlier one", encoding="utf-8")
    with written(text_of(connection()), file):
        later = written(text_of(connection(TEAM.model_copy(update={"image": "later"}))), file)
        later.__enter__()
    assert json.loads(file.read_text("utf-8"))["image"] == "later"
    later.__exit__(None, None, None)
    assert not file.exists()


def test_a_directory_that_is_not_there_is_said_with_a_way_out(tmp_path: Path) -> None:
    with (
        pytest.raises(ConnectError, match="Name another file with `--file`"),
        written(text_of(connection()), tmp_path / "missing" / "file"),
    ):
        pass


def test_dask_takes_the_address_from_the_file(tmp_path: Path) -> None:
    file = tmp_path / "fraud.connection.json"
    with LocalCluster(n_workers=0, processes=False, dashboard_address=None) as cluster:
        found = connection().model_copy(update={"address": cluster.scheduler_address})
        with written(text_of(found), file), Client(scheduler_file=str(file)) as client:
            assert client.scheduler_info()["address"] == cluster.scheduler_address
