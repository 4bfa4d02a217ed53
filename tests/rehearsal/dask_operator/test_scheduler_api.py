"""Unit: which workers the stand-in for a scheduler retires, and how the operator finds it."""

import subprocess
import sys

from rehearsal.dask_operator.cluster_dns import PORT_VARIABLE
from rehearsal.dask_operator.scheduler_api import last_started
from tests.project import PROJECT_DIR

LOOK_UP = """
import rehearsal.dask_operator.cluster_dns, socket
for host in ("climate-scheduler.climate", "127.0.0.1"):
    print(socket.getaddrinfo(host, 80, type=socket.SOCK_STREAM)[0][4])
"""


def deployment(name: str, second: int) -> dict[str, dict[str, str]]:
    return {"metadata": {"name": name, "creationTimestamp": f"2026-11-21T00:00:{second:02}Z"}}


def test_the_workers_that_came_last_go_first() -> None:
    workers = [deployment("new", 9), deployment("old", 1), deployment("middle", 5)]
    assert last_started(workers, count=2) == ["middle", "new"]
    assert last_started(workers, count=0) == []


def test_the_names_of_schedulers_lead_to_the_stand_in_and_all_others_where_they_did() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOOK_UP],
        env={PORT_VARIABLE: "4242", "PYTHONPATH": str(PROJECT_DIR)},
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.splitlines() == ["('127.0.0.1', 4242)", "('127.0.0.1', 80)"]
