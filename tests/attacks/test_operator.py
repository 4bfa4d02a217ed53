"""A scheduler that lies to the operator: the operator's own functions, bare and guarded.

tests/rehearsal/real_dask/test_hostile_scheduler.py does the same to the operator of a fleet.
"""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dask
import pytest
from distributed import Scheduler

from manifests.dask_scheduler_pod import HTTP_ROUTES
from tests.attacks.lies import lie
from tests.project import PROJECT_DIR

OPERATOR = """
import asyncio, logging, sys
from kopf._cogs.helpers.loaders import preload
http, tcp, *paths = sys.argv[1:]
preload(paths, ["dask_kubernetes.operator.controller"])
from dask_kubernetes.operator.controller import controller
import aiohttp

async def address(service, namespace, port_name="tcp-comm", **_):
    return f"tcp://127.0.0.1:{tcp if port_name == 'tcp-comm' else http}"

controller.get_scheduler_address = address
request = aiohttp.ClientSession._request

async def to_loopback(session, method, url, **options):
    path = str(url).partition("/api/")[2]
    return await request(session, method, f"http://127.0.0.1:{http}/api/{path}", **options)

aiohttp.ClientSession._request = to_loopback
log = logging.getLogger()
about = {"scheduler_service_name": "alpha-scheduler", "namespace": "alpha"}
for question in (
    lambda: controller.retire_workers(
        n_workers=1, worker_group_name="alpha-default", logger=log, **about
    ),
    lambda: controller.check_scheduler_idle(logger=log, **about),
    lambda: controller.get_desired_workers(**about),
):
    try:
        print("answered", asyncio.run(question()))
    except Exception as error:
        print(type(error).__name__, error)
"""
ROUTES = "distributed.scheduler.http.routes"
GUARD = str(PROJECT_DIR / "in_cluster" / "guarded_operator.py")


@contextmanager
def lying_scheduler(marker: Path) -> Iterator[tuple[int, int]]:
    """Run a real scheduler in a thread; give its ports of HTTP and of Dask."""
    began, end = threading.Event(), threading.Event()
    ports: list[int] = []

    async def run() -> None:
        async with Scheduler(
            host="127.0.0.1", port=0, dashboard_address="127.0.0.1:0"
        ) as scheduler:
            lie(scheduler, marker=marker)
            ports.extend((scheduler.http_server.port, scheduler.port))
            began.set()
            await asyncio.to_thread(end.wait)

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    try:
        assert began.wait(timeout=120)
        yield ports[0], ports[1]
    finally:
        end.set()
        thread.join()


@pytest.fixture
def undone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let other tests have the HTTP API as it was."""
    from distributed.http.scheduler import api  # noqa: PLC0415

    for handler in (api.RetireWorkersHandler, api.CheckIdleHandler, api.AdaptiveTargetHandler):
        for verb in ("get", "post"):
            monkeypatch.setattr(handler, verb, getattr(handler, verb))


@pytest.mark.usefixtures("undone")
def test_code_that_a_scheduler_answers_runs_in_the_bare_operator_and_not_in_ours(
    tmp_path: Path,
) -> None:
    marker = tmp_path / "owned"
    with dask.config.set({ROUTES: HTTP_ROUTES}), lying_scheduler(marker) as ports:
        ours = ask(*ports, GUARD)
        assert not marker.exists()
        bare = ask(*ports)
        assert marker.exists(), bare  # the attack works where nothing defends

    assert [line.split()[0] for line in ours] == [
        "TemporaryError",
        "UnansweredError",
        "TemporaryError",
    ]
    assert all("status 500" in line for line in ours)


def ask(http: int, tcp: int, *paths: str) -> list[str]:
    """Let an operator ask all three questions."""
    done = subprocess.run(
        [sys.executable, "-c", OPERATOR, str(http), str(tcp), *paths],
        cwd=PROJECT_DIR,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 3, done.stderr
    return lines
