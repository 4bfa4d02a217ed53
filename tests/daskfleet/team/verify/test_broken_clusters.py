"""Real Dask on loopback, broken on purpose in one way: exactly that check fails, and says why."""

import signal
import sys
from importlib import metadata
from pathlib import Path

import httpx
import pytest

from daskfleet.team.verify.model import Outcome
from tests.daskfleet.team.verify.conftest import WORKERS, Checked
from tests.daskfleet.team.verify.environments import (
    OLDER_DISTRIBUTED,
    another_python,
    environment,
    own_versions,
)
from tests.daskfleet.team.verify.running_dask import HOST, Scheduler, free_port, scheduler, worker
from tests.daskfleet.team.verify.samples import the_only_failure
from tests.tiers.long_files import LONG

# Some forty processes of Dask, and two environments from PyPI the first time: no quick test.
pytestmark = LONG


def test_a_cluster_in_order_passes_and_what_needs_a_gpu_is_not_measured(verified: Checked) -> None:
    checks = verified()
    outcomes = {name: check.outcome for name, check in checks.items()}
    not_measured = {name for name, each in outcomes.items() if each is Outcome.NOT_MEASURED}

    assert Outcome.FAILED not in outcomes.values()
    assert {"CUDA and driver", "GPUs", "computation on GPUs"} <= not_measured
    assert {checks[name].seen for name in ("CUDA and driver", "GPUs")} == {"no GPU"}
    assert not_measured <= {"CUDA and driver", "GPUs", "computation on GPUs", "dashboard"}


def test_a_client_with_another_python_is_told_what_to_run(verified: Checked) -> None:
    python = another_python()
    if python is None:
        pytest.skip("this machine has one Python that can make virtual environments")
    failure = the_only_failure(verified(python=environment(python, own_versions())))

    own = ".".join(map(str, sys.version_info[:3]))
    assert failure.name == "versions"
    assert failure.seen.startswith("python: ")
    assert f"{own} in scheduler and worker first and worker second" in failure.seen
    assert "in this client" in failure.seen
    assert ";" not in failure.seen
    assert "run the client in the team's image" in failure.next_step


def test_a_worker_with_another_distributed_is_named(cluster: Scheduler, verified: Checked) -> None:
    older = dict.fromkeys(("dask", "distributed"), OLDER_DISTRIBUTED)
    python = environment(Path(sys.executable), own_versions() | older)
    with worker(cluster, "from-an-older-image", python=python):
        failure = the_only_failure(verified(workers=WORKERS + 1))

    assert failure.name == "versions"
    assert f"distributed: {OLDER_DISTRIBUTED} in worker from-an-older-image" in failure.seen
    assert f"{metadata.version('distributed')} in this client and scheduler" in failure.seen
    assert "must run one image" in failure.next_step


def test_a_module_that_the_scheduler_lacks_is_named_in_dasks_words(
    verified: Checked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fraud_features.py").write_text("class Card:\n    limit = 3\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    failure = the_only_failure(verified(modules=("fraud_features",)))

    assert failure.name == "task graphs"
    assert "the scheduler could not unpack a graph with module fraud_features" in failure.seen
    assert "its environment has no module fraud_features" in failure.seen
    assert "Error during deserialization of the task graph" in failure.seen
    assert "the module must be in the image" in failure.next_step


def test_a_module_that_only_the_workers_lack_is_told_apart(
    verified: Checked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fraud_models.py").write_text("def score(card): return 1\n", encoding="utf-8")
    with monkeypatch.context() as for_scheduler:
        for_scheduler.setenv("PYTHONPATH", str(tmp_path))
        with scheduler() as of, worker(of, "bare", PYTHONPATH=""):
            failure = the_only_failure(verified(of, workers=1, modules=("fraud_models",)))

    assert failure.name == "task graphs"
    has_it = "the scheduler has module fraud_models, and worker bare cannot import it"
    assert failure.seen == has_it
    assert "the module must be in the image" in failure.next_step


def test_a_worker_that_is_not_connected_is_missed(verified: Checked) -> None:
    failure = the_only_failure(verified(workers=WORKERS + 1))

    assert failure.name == "workers"
    assert failure.expected.startswith("3 workers")
    assert failure.seen == "2 connected (first, second)"


def test_a_worker_with_two_threads_is_named(cluster: Scheduler, verified: Checked) -> None:
    with worker(cluster, "hasty", threads=2):
        failure = the_only_failure(verified(workers=WORKERS + 1))

    assert failure.name == "threads per worker"
    assert failure.seen == "worker hasty has 2"


def test_a_worker_without_its_resource_is_named(cluster: Scheduler, verified: Checked) -> None:
    with worker(cluster, "bare", resources=""):
        failure = the_only_failure(verified(workers=WORKERS + 1))

    assert failure.name == "resources"
    assert failure.seen == "worker bare has none"
    assert "delete the worker's Deployment and run `pulumi up`" in failure.next_step


def test_a_task_for_a_resource_that_nobody_has_is_cancelled_and_said_to_hang(
    cluster: Scheduler, verified: Checked
) -> None:
    failure = the_only_failure(verified(resources={"FPGA": 1}))

    assert failure.name == "resources"
    assert "worker first has GPU=1" in failure.seen
    assert "a task that asks for FPGA=1 would wait for ever" in failure.seen
    assert httpx.get(f"{cluster.http}/json/counts.json").json()["tasks"] == 0


def test_a_worker_that_computes_wrong_is_named(
    cluster: Scheduler, verified: Checked, tmp_path: Path
) -> None:
    preload = tmp_path / "broken_library.py"
    preload.write_text("import builtins\nbuiltins.pow = lambda n, m: n * m\n", encoding="utf-8")
    with worker(cluster, "confused", "--preload", str(preload)):
        failure = the_only_failure(verified(workers=WORKERS + 1))

    assert failure.name == "computation"
    assert failure.expected.startswith("the sum of 20 squares is 2470, the sum of a dask.array is")
    assert failure.seen == "the sum of 20 squares on worker confused is 380"
    assert "wrong result" in failure.next_step


def test_a_worker_that_hangs_does_not_hang_the_checks(
    cluster: Scheduler, verified: Checked
) -> None:
    with worker(cluster, "stuck") as process:
        process.send_signal(signal.SIGSTOP)
        failure = the_only_failure(verified(workers=WORKERS + 1))

    assert failure.name == "connection"
    assert "no answer within 10 s" in failure.seen


def test_a_scheduler_that_is_not_there_fails_the_connection_and_nothing_else_is_said(
    cluster: Scheduler, verified: Checked
) -> None:
    nobody = Scheduler(address=f"tcp://{HOST}:{free_port()}", http=cluster.http)
    checks = verified(nobody)
    failure = the_only_failure(checks)

    assert failure.name == "connection"
    assert "Timed out" in failure.seen or "refused" in failure.seen
    assert checks["versions"].outcome is Outcome.NOT_MEASURED
    assert checks["computation"].seen == "not asked: see connection"


def test_a_dashboard_that_does_not_answer_is_missed(cluster: Scheduler, verified: Checked) -> None:
    without = Scheduler(address=cluster.address, http=f"http://{HOST}:{free_port()}")
    failure = the_only_failure(verified(without))

    assert failure.name == "dashboard"
    assert "/health: ConnectError" in failure.seen
