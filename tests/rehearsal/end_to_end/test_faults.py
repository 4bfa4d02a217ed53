"""End to end: what goes wrong in the middle, and that the next command gets past it."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rehearsal.engine.engine import EngineFailedError, InterruptedByUserError
from rehearsal.errors import RehearsalError
from rehearsal.process import ProcessRecord
from tests.rehearsal.end_to_end.objects import (
    existing,
    gpus_taken,
    names,
    refusing_deployments_in,
    until_deployments_are_refused,
)
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, Settings, team
from tests.rehearsal.kr8s_client import connect_blocking

pytestmark = pytest.mark.rehearsal


def test_errors_of_google_in_the_middle_leave_a_state_that_the_next_up_completes(
    fleet: RunningRehearsal,
) -> None:
    settings = with_another_pool(fleet.settings())
    pools = {"method": "POST", "path": "/nodePools$"}
    quota = "Quota 'NVIDIA_A100_GPUS' exceeded. Limit: 4.0 in region us-central1."
    refused = {"kind": "error", "code": 403, "reason": "quotaExceeded", "message": quota, **pools}
    # For longer than `up` takes to ask why, in which GKE tries again and again.
    stocked_out = {"kind": "stockout", "pool": "a100-more", "times": 1000}
    state = 'was created in the error state "RUNNING_WITH_ERROR"'
    machines = "node pool a100-more in us-central1-c, a2-highgpu-1g with 1 nvidia-tesla-a100: "
    for fault, providers_own, explained in (
        (refused, quota, "Google has made no such pool"),
        (stocked_out, state, "RUNNING_WITH_ERROR: GCE_STOCKOUT: "),
    ):
        fleet.inject(fault)
        with pytest.raises(EngineFailedError):
            fleet.up(settings)
        assert providers_own in fleet.said
        assert machines + explained in fleet.said
    fleet.inject()
    fleet.up(settings)
    assert "a100-more" in {node.pool for node in fleet.see().nodes.values()}


def test_a_cluster_that_the_operator_cannot_create_fails_up_and_can_still_be_destroyed(
    fleet: RunningRehearsal,
) -> None:
    settings = fleet.settings()
    extra = dict(team(settings, "genomics"), name="refused", workers=0)
    settings["daskfleet:teams"].append(extra)
    settings["daskfleet:scheduler_pool"]["schedulers_per_gpu"] = 3
    settings["daskfleet:scheduler_pool"]["machine_type"] = "n1-standard-8"
    with deployments_refused_in(fleet, "refused"):
        with pytest.raises(EngineFailedError):
            fleet.up(settings)
        assert "no-deployments" in fleet.said
        fleet.up()
    api = connect_blocking(fleet.cluster.kubeconfig)
    assert "refused" not in names(api, "namespaces")


def test_ctrl_c_ends_the_engine_gracefully_and_the_next_up_goes_on(
    fleet: RunningRehearsal,
) -> None:
    pressed = threading.Event()

    def press_while_it_waits() -> None:
        if not pressed.is_set() and fleet.dask_pods("climate").keys() != before:
            pressed.set()
            os.kill(os.getpid(), signal.SIGINT)

    settings = fleet.settings()
    team(settings, "climate")["workers"] = 3
    before = fleet.dask_pods("climate").keys()
    with gpus_taken(fleet, "a100-fixed", count=2), pytest.raises(InterruptedByUserError):
        fleet.up(settings, watch=press_while_it_waits)
    assert pressed.is_set()
    assert "Ctrl-C" in fleet.said
    assert locks(fleet) == []
    fleet.set_stage()
    fleet.up(settings)
    assert len(fleet.dask_pods("climate")) == len(before) + 1


def test_a_killed_engine_leaves_a_lock_that_the_next_up_releases(fleet: RunningRehearsal) -> None:
    killed = threading.Event()

    def kill_while_it_waits() -> None:
        if not killed.is_set() and fleet.dask_pods("climate").keys() != before:
            killed.set()
            record = ProcessRecord.model_validate_json(fleet.workspace.engine_file.read_bytes())
            os.kill(record.pid, signal.SIGKILL)

    settings = fleet.settings()
    team(settings, "climate")["workers"] = 3
    before = fleet.dask_pods("climate").keys()
    # There is no GPU for the third worker, so that `up` waits for as long as this takes.
    with gpus_taken(fleet, "a100-fixed", count=2), pytest.raises(EngineFailedError):
        fleet.up(settings, watch=kill_while_it_waits)
    assert killed.is_set()
    assert len(locks(fleet)) == 1
    fleet.set_stage()
    assert locks(fleet) == []
    fleet.up(settings)


def test_the_engine_of_an_up_that_was_killed_is_ended_by_the_next(
    rehearsal: RunningRehearsal,
) -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as orphan:
        record = ProcessRecord.of(orphan.pid).model_dump_json()
        rehearsal.workspace.engine_file.write_text(record, encoding="utf-8")
        rehearsal.set_stage()
        assert orphan.wait(timeout=10) == -signal.SIGTERM


def test_an_engine_at_work_is_not_disturbed(rehearsal: RunningRehearsal) -> None:
    directory = rehearsal.workspace.state_dir / ".pulumi" / "locks" / "organization" / "daskfleet"
    lock = directory / rehearsal.workspace.stack / "0.json"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.write_text(
        json.dumps(
            {
                "pid": os.getpid(),
                "username": "somebody",
                "hostname": socket.gethostname(),
                "timestamp": datetime.now(UTC).isoformat(),
            }
        )
    )
    try:
        with pytest.raises(RehearsalError, match=f"process {os.getpid()} on .* is at work"):
            rehearsal.set_stage()
    finally:
        lock.unlink()


def with_another_pool(settings: Settings) -> Settings:
    """Add a pool that no team uses."""
    pool = {"name": "a100-more", "machine_type": "a2-highgpu-1g", "gpus_per_node": 1}
    settings["daskfleet:worker_pools"].append(pool)
    return settings


def locks(fleet: RunningRehearsal) -> list[Path]:
    """The engine's locks in the state."""
    return list((fleet.workspace.state_dir / ".pulumi" / "locks").glob("**/*.json"))


@contextmanager
def deployments_refused_in(fleet: RunningRehearsal, namespace: str) -> Iterator[None]:
    """Let a policy of the cluster refuse what the operator wants to create."""
    kubeconfig = fleet.cluster.kubeconfig
    with existing(kubeconfig, *refusing_deployments_in(namespace)):
        until_deployments_are_refused(kubeconfig)
        yield
