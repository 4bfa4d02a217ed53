"""End to end: a member turns the team's scheduler against the operator, and gains nothing."""

import functools
from pathlib import Path

import cloudpickle
import pytest
from distributed import Client

from tests.attacks import lies
from tests.rehearsal.end_to_end.kubectl import forwarded, kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.waiting import until

pytestmark = pytest.mark.rehearsal

TEAM = "climate"
HERE = ("--namespace", TEAM)
WORKERS = f"daskworkergroup/{TEAM}-default"
"""What members scale; the number of the DaskCluster is Pulumi's."""


def test_the_operator_runs_no_code_of_a_scheduler_and_takes_no_worker_away(
    fleet: RunningRehearsal, tmp_path: Path
) -> None:
    marker = tmp_path / "owned"
    cloudpickle.register_pickle_by_value(lies)  # the scheduler's pod does not have it
    with (
        forwarded(fleet, "service/dask", 8786, namespace=TEAM) as address,
        Client(f"tcp://{address}", timeout=60) as member,
    ):
        member.run_on_scheduler(functools.partial(lies.lie, marker=marker))
    (log,) = fleet.workspace.logs_dir.glob("operator-*.log")
    before = log.stat().st_size
    workers = kubectl(fleet, *HERE, "get", "deployments", "--output=name").splitlines()

    fleet.touched()
    kubectl(fleet, *HERE, "scale", "--replicas=1", WORKERS)
    try:
        until(
            lambda: "keeps its workers until its scheduler says" in said_since(log, before),
            otherwise=lambda: said_since(log, before)[-2000:],
        )
        assert "status 500" in said_since(log, before)
        assert not marker.exists()
        now = kubectl(fleet, *HERE, "get", "deployments", "--output=name").splitlines()
        assert now == workers
    finally:
        kubectl(fleet, *HERE, "scale", "--replicas=2", WORKERS)
        kubectl(fleet, *HERE, "delete", "pods", "--selector", "dask.org/component")


def said_since(log: Path, place: int) -> str:
    """What the operator has said."""
    return log.read_bytes()[place:].decode()
