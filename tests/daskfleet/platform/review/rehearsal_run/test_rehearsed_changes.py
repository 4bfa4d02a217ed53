"""End to end: commits of a repository are rehearsed; what is foretold happens, or is told apart."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from daskfleet.platform.review.model import Discrepancy, Verdict
from daskfleet.platform.review.policy_packs import PolicyPack
from policies.location import PACK
from rehearsal.supervisor.record import read_record
from rehearsal.toolchain import Binaries
from tests.daskfleet.platform.review.rehearsal_run.rehearsed_project import (
    RehearsedProject,
    Settings,
    judged,
    team,
)
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.judged_previews import install_pack
from tests.tiers.long_files import LONG

pytestmark = LONG

OLDER_IMAGE = "nvcr.io/nvidia/rapidsai/base:26.08-cuda12-py3.13"
STAGE_TIMEOUT_S = 120


def test_what_happens_is_what_was_foretold(project: RehearsedProject, folders: Path) -> None:
    def change(settings: Settings) -> None:
        team(settings, "climate")["image"] = OLDER_IMAGE
        team(settings, "genomics")["workers"] = 2
        settings["daskfleet:monthly_budget_usd"] = 100

    install_pack()
    config = project.directory.with_name("advice.json")
    config.write_text('{"monthly-budget": "advisory"}')
    project.configure("rehearsal", change)

    done = project.rehearse("main~1..main", packs=[PolicyPack(path=PACK, config=config)])

    pods = "scheduler and 2 workers"
    assert done.rehearsed.error == ""
    assert done.rehearsed.differences == ()
    assert done.rehearsed.lines == (
        f"team climate: Dask cluster replaced: {pods} went, {pods} came",
        "team genomics: 1 worker came, 1 worker went on; the scheduler went on",
        "pool a100-auto: 1 node came",
        "not touched: pool a100-fixed, pool scheduler-pool, pool system",
    )
    assert done.rehearsed.seconds_without_scheduler.keys() == {"climate"}
    assert done.rehearsed.second_up_changes == 0
    (back, *_) = done.rehearsed.way_back
    assert back.startswith("team climate: Dask cluster is replaced")
    assert any("nodes and GPUs" in part for part in done.rehearsed.stood_in)
    assert [each.policy for each in done.preview.policies] == ["monthly-budget"]
    review = judged(done)
    assert review.verdict is Verdict.NEEDS_CARE
    assert [str(each.subject) for each in review.consequences] == ["team climate", "team genomics"]
    assert review.commit == project.git("rev-parse", "main")
    assert list(folders.iterdir()) == []
    assert project.git("status", "--porcelain") == ""
    assert project.git("worktree", "list").count("\n") == 0


def test_what_the_operator_ignores_is_told_apart_from_what_was_foretold(
    project: RehearsedProject,
) -> None:
    # As in dask-kubernetes#895: nothing forces another cluster, so the pods stay as they are.
    project.edit("components/dask_cluster.py", r'\n    "spec\.worker\.spec",', "")
    project.edit("manifests/dask_worker_pod.py", r"grace_period_s=60\)", "grace_period_s=61)")

    done = project.rehearse("main")

    assert done.rehearsed.error == ""
    assert done.rehearsed.differences == tuple(
        Discrepancy(subject=f"team {name}, {role}s", foretold="all go", seen="stayed")
        for name in ("climate", "genomics")
        for role in ("scheduler", "worker")
    )
    assert done.rehearsed.lines[0].endswith("with uncommitted changes")
    assert done.commit == ""
    assert judged(done).verdict is Verdict.NEEDS_CARE


def test_ctrl_c_leaves_no_process_and_no_file(binaries: Binaries, tmp_path: Path) -> None:
    del binaries
    command = [
        sys.executable,
        "-m",
        "daskfleet",
        "review",
        "--rehearse",
        "HEAD",
        "--stack",
        "rehearsal",
    ]
    command.append("--no-policies")
    running = subprocess.Popen(
        command,
        cwd=PROJECT_DIR,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + STAGE_TIMEOUT_S
    while not (found := list(tmp_path.glob("daskfleet-review-*/stage/engine.json"))):
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.1)
    supervisor = read_record(found[0].parent / "supervisor.json")

    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=STAGE_TIMEOUT_S)

    assert running.returncode == 130, said
    assert "Interrupted" in said
    assert supervisor is not None
    assert not supervisor.process.is_alive
    assert list(tmp_path.iterdir()) == []
