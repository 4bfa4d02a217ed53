"""Unit: the command, by an API server that has logs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from daskfleet.cli import app
from daskfleet.team.logs import cli
from tests.components.fleets import fleet
from tests.daskfleet.access.played_api import Answers, played_api
from tests.daskfleet.posted_notice import posted_notice

PLAN = fleet()
NAME = PLAN.teams[0].team.name
CORE = f"GET /api/v1/namespaces/{NAME}"
TOLD = posted_notice(PLAN)


def pod(name: str, role: str, restarts: int = 0) -> dict[str, Any]:
    labels = {"dask.org/cluster-name": NAME, "dask.org/component": role}
    return {
        "metadata": {"name": name, "namespace": NAME, "labels": labels},
        "spec": {"containers": [{"name": role}]},
        "status": {"phase": "Running", "containerStatuses": [{"restartCount": restarts}]},
    }


ANSWERS: Answers = {
    f"{CORE}/configmaps/daskfleet": (200, {"data": {"notice.json": TOLD}}),
    f"{CORE}/pods": (
        200,
        {
            "items": [
                pod("w-1", "worker", restarts=1),
                pod("s-1", "scheduler"),
                pod("w-2", "worker"),
            ]
        },
    ),
    f"{CORE}/pods/s-1/log": (200, "one\n\ttwo \x1b[31mred\r\n"),
    f"{CORE}/pods/w-1/log": (200, "three"),
    f"{CORE}/pods/w-2/log": (400, {"message": "container is waiting to start: ContainerCreating"}),
}


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run the command as a member."""
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))

    def run(*arguments: str) -> Result:
        with played_api(ANSWERS, tmp_path):
            return CliRunner().invoke(app, ["logs", NAME, *arguments])

    return run


def test_all_logs_come_with_their_pods_and_one_that_is_none_hides_no_other(
    logs: Callable[..., Result],
) -> None:
    done = logs()

    assert done.exit_code == 0, done.output
    assert done.stdout == "s-1 | one\ns-1 | \ttwo \x1b[31mred\nw-1 | three\n"
    assert "w-2: container is waiting to start: ContainerCreating" in done.stderr


def test_one_log_comes_as_it_is(logs: Callable[..., Result]) -> None:
    assert logs("w-1").stdout == "three\n"
    assert logs("scheduler").stdout == "one\n\ttwo \x1b[31mred\n"


def test_on_a_terminal_nothing_steers_it(
    logs: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "is_terminal", lambda: True)

    assert logs("scheduler").stdout == "one\n    two \\x1b[31mred\n"


def test_where_no_log_can_be_read_it_says_so(logs: Callable[..., Result]) -> None:
    done = logs("w-2")

    assert (done.exit_code, done.stdout) == (1, "")
    assert "No log could be read." in done.stderr


def test_last_words_are_asked_of_what_was_restarted(logs: Callable[..., Result]) -> None:
    assert logs("--previous").stdout == "three\n"
    done = logs("scheduler", "--previous")
    assert done.exit_code == 1
    assert "has restarted its process" in done.stderr
