"""Integration: in a pod of the team there is a way without a tunnel, and nobody is asked for it."""

import operator
import socket
from typing import Any

import dask
import pytest
from distributed import LocalCluster

import daskfleet
from daskfleet import errors
from daskfleet.client.inside import inside_address
from daskfleet.contract.dask import INSIDE_A_POD


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What cluster DNS knows; it leads to this machine."""
    known: set[str] = set()
    look_up = socket.getaddrinfo

    def answer(host: Any, *arguments: Any, **options: Any) -> Any:
        if host in known:
            return look_up("127.0.0.1", *arguments, **options)
        if str(host).startswith("dask"):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return look_up(host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    return known


@pytest.fixture
def pod(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be in a container of Kubernetes."""
    monkeypatch.setenv(INSIDE_A_POD, "10.0.0.1")


def test_jupyterlab_takes_the_address_of_its_environment(cluster: LocalCluster) -> None:
    with (
        dask.config.set({"scheduler-address": cluster.scheduler_address}),
        daskfleet.connect() as client,
    ):
        assert client.submit(operator.add, 40, 2, pure=False).result(timeout=30) == 42
        assert client.team is None


@pytest.mark.usefixtures("pod")
def test_a_job_finds_its_own_namespaces_scheduler(names: set[str]) -> None:
    names.add("dask")
    assert inside_address(None) == "tcp://dask:8786"


@pytest.mark.usefixtures("pod")
def test_a_pod_that_is_told_of_a_certificate_uses_it(names: set[str]) -> None:
    names.add("dask")
    with dask.config.set({"distributed.comm.tls.ca-file": "/etc/dask-tls/ca.crt"}):
        assert inside_address(None) == "tls://dask:8786"


@pytest.mark.usefixtures("pod")
def test_a_named_team_is_found_by_its_whole_name(names: set[str]) -> None:
    names.add("dask.fraud.svc.cluster.local")
    assert inside_address("fraud") == "tcp://dask.fraud.svc.cluster.local:8786"


@pytest.mark.usefixtures("pod", "names")
def test_a_pod_of_another_cluster_needs_a_tunnel() -> None:
    assert inside_address("fraud") is None


@pytest.mark.usefixtures("names")
def test_no_pod_and_no_team_is_refused() -> None:
    with pytest.raises(errors.NoTeamError, match=r"Name your team: daskfleet.connect\('fraud'\)"):
        daskfleet.connect()


def test_a_scheduler_that_does_not_answer_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    with (
        dask.config.set({"scheduler-address": address}),
        pytest.raises(errors.SchedulerAwayError, match="Only pods of the team's own namespace"),
    ):
        daskfleet.connect(timeout_s=0.5)
