"""Unit: what a Dask container runs here, against the command line that is installed."""

import shlex
from collections.abc import Sequence

import click
import pytest
from distributed.cli.dask_scheduler import main as dask_scheduler
from distributed.cli.dask_worker import main as dask_worker

from rehearsal.dask_pods.cpu_equivalent import (
    CUDA_SWITCHES,
    CUDA_VALUES,
    NANNY_PRELOAD,
    WORKER_MEMORY_LIMIT,
    LocalCommand,
    local_command,
)
from tests.rehearsal.dask_pods.pods import team_pod

LOOPBACK = "127.77.3.4"
NEW = "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13"
OLD = "nvcr.io/nvidia/rapidsai/base:26.06-cuda12-py3.13"
DASHBOARD = f"--dashboard-address {LOOPBACK}"
ON_LOOPBACK = f"--host {LOOPBACK} {DASHBOARD}"
BOUNDED = f"--memory-limit {WORKER_MEMORY_LIMIT}"


def here(command: str, image: str = NEW, **variables: str) -> LocalCommand:
    return local_command(shlex.split(command), image=image, loopback=LOOPBACK, variables=variables)


def run(command: str, image: str = NEW) -> str:
    return shlex.join(here(command, image).argv)


def departures(command: str, image: str = NEW) -> str:
    return "\n".join(here(command, image).departures)


def flags(command: click.Command) -> set[str]:
    return {
        flag
        for option in command.params
        if isinstance(option, click.Option)
        for flag in (*option.opts, *option.secondary_opts)
    }


def parsed(command: click.Command, argv: Sequence[str]) -> dict[str, object]:
    context = command.make_context(command.name, list(argv))
    return context.params


@pytest.mark.parametrize(
    ("asked", "runs"),
    [
        (
            "dask scheduler --host 0.0.0.0 --port 8786 --dashboard-address :8787",
            f"dask scheduler --host {LOOPBACK} --port 8786 --dashboard-address {LOOPBACK}:8787",
        ),
        ("dask scheduler", f"dask scheduler {ON_LOOPBACK}:8787"),
        (
            "dask scheduler --host=tls://0.0.0.0:8786 --dashboard-address=8790",
            f"dask scheduler --host tls://{LOOPBACK}:8786 --dashboard-address {LOOPBACK}:8790",
        ),
        (
            "/opt/conda/bin/dask scheduler --host tls:// --dashboard-address 0.0.0.0:80",
            f"dask scheduler --host tls://{LOOPBACK} --dashboard-address {LOOPBACK}:80",
        ),
        (
            "dask worker tcp://a:8786 --name w --memory-limit 24GB",
            f"dask worker tcp://a:8786 --name w {BOUNDED} {ON_LOOPBACK}:0",
        ),
        (
            "dask worker --listen-address tcp://0.0.0.0:9000 --dashboard-address :1",
            f"dask worker --listen-address tcp://{LOOPBACK}:9000 {DASHBOARD}:1 {BOUNDED}",
        ),
        ("dask worker --interface eth0", f"dask worker {ON_LOOPBACK}:0 {BOUNDED}"),
        (
            "dask-cuda-worker --rmm-pool-size 30GB --rmm-async --name=a --enable-cudf-spill",
            f"dask worker --name=a --nthreads 1 {ON_LOOPBACK}:0 {BOUNDED}",
        ),
        (
            "dask cuda worker --nthreads 2 --pre-import=cudf,rmm --protocol ucx",
            f"dask worker --nthreads 2 {ON_LOOPBACK}:0 {BOUNDED}",
        ),
    ],
)
def test_a_dask_command_runs_on_the_pods_address(asked: str, runs: str) -> None:
    assert run(asked) == runs


@pytest.mark.parametrize(
    "command",
    ["python -m my.tool --host 0.0.0.0", "dask config list", "sh -c 'sleep 1'"],
)
def test_any_other_command_runs_as_it_is(command: str) -> None:
    other = here(command)
    assert list(other.argv) == shlex.split(command)
    assert not other.is_dask
    assert other.departures == ()


@pytest.mark.parametrize(
    "command", ["dask-scheduler --port 8786", "/opt/bin/dask-worker tcp://a:1"]
)
def test_a_removed_command_is_not_made_to_work(command: str) -> None:
    for image in (NEW, "example.com/team:1", "dask-kubernetes:dev", "ghcr.io/dask/dask:latest"):
        other = here(command, image)

        assert list(other.argv) == shlex.split(command)
        assert not other.is_dask
        (said,) = other.departures
        assert "is not translated: distributed has none since 2026.6.0" in said
        assert image in said


@pytest.mark.parametrize("image", [OLD, "ghcr.io/dask/dask:2026.3.0-py3.13"])
def test_that_of_an_older_image_runs_as_its_successor(image: str) -> None:
    assert run("dask-scheduler", image) == run("dask scheduler")
    assert run("dask-worker tcp://a:1 --name w", image) == run("dask worker tcp://a:1 --name w")
    assert f"`dask-scheduler` runs as `dask scheduler`: {image}" in departures(
        "dask-scheduler", image
    )


def test_every_departure_is_said() -> None:
    said = departures(
        "dask cuda worker --rmm-pool-size 0.9 --no-rmm-async --protocol ucxx --interface ib0 "
        "--host 10.0.0.1 --memory-limit 80GB --dashboard-address :8788"
    )
    assert "`dask cuda worker` runs as `dask worker`" in said
    assert "only dask-cuda knows them: --rmm-pool-size 0.9 --no-rmm-async" in said
    assert "--protocol ucx runs as tcp" in said
    assert "left out --interface" in said
    assert f"--host {LOOPBACK} in place of 10.0.0.1" in said
    assert f"--dashboard-address {LOOPBACK}:8788 in place of :8788" in said
    assert f"{BOUNDED} in place of 80GB" in said


def test_a_scheduler_that_listens_on_its_own_address_already_differs_in_nothing() -> None:
    asked = f"dask scheduler --host {LOOPBACK} --dashboard-address {LOOPBACK}:8787"
    assert run(asked) == asked
    assert departures(asked) == ""


def test_jupyter_listens_where_its_pod_is() -> None:
    found = here("jupyter-lab --no-browser --ServerApp.ip=0.0.0.0")
    assert found.argv == ("jupyter-lab", "--allow-root", "--no-browser", "--ServerApp.ip", LOOPBACK)
    assert f"--ServerApp.ip {LOOPBACK} in place of 0.0.0.0" in found.departures


@pytest.mark.parametrize(
    ("setting", "programs"),
    [("", ()), ("a.py", ("a.py",)), ("print( 1)", ("print( 1)",)), ("['a', 'b']", ("a", "b"))],
)
def test_what_nannies_of_dask_cuda_read_of_the_configuration_is_a_flag(
    setting: str, programs: tuple[str, ...]
) -> None:
    found = here("dask cuda worker --name w", **{NANNY_PRELOAD: setting})
    assert parsed(dask_worker, found.argv[2:])["preload_nanny"] == programs
    assert any(NANNY_PRELOAD in sentence for sentence in found.departures) == bool(setting)


def test_the_installed_dask_worker_gives_its_nannies_no_preload_of_the_configuration() -> None:
    # Not None, for which alone they would read it. Where this fails, the flag is needless.
    assert parsed(dask_worker, [])["preload_nanny"] == ()
    assert "a.py" not in here("dask worker --name w", **{NANNY_PRELOAD: "a.py"}).argv


def test_what_is_left_out_is_unknown_to_the_installed_worker() -> None:
    known = flags(dask_worker)
    assert "--memory-limit" in known
    assert not known & (CUDA_VALUES | CUDA_SWITCHES)


@pytest.mark.parametrize(
    ("component", "command"), [("scheduler", dask_scheduler), ("worker", dask_worker)]
)
def test_the_installed_command_line_understands_what_the_teams_pods_run(
    component: str, command: click.Command
) -> None:
    (container,) = team_pod(component)["spec"]["containers"]
    argv = here(shlex.join(container["args"]), container["image"]).argv
    assert argv[:2] == ("dask", component)
    assert {word for word in argv if word.startswith("--")} <= flags(command)
    assert parsed(command, argv[2:])["host"] == LOOPBACK


def test_a_cuda_worker_with_every_flag_of_its_own_leaves_none() -> None:
    words = ["dask", "cuda", "worker"]
    for flag in sorted(CUDA_VALUES):
        words += [flag, "1"]
    words += sorted(CUDA_SWITCHES)
    argv = here(shlex.join(words)).argv
    assert {word for word in argv if word.startswith("--")} <= flags(dask_worker)
    assert "1" not in argv[argv.index("--host") :]
