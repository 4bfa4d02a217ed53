"""End to end: `daskfleet review` runs a preview of a running fleet, and decides."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from daskfleet.platform.review.document import from_json
from daskfleet.platform.review.model import Review, Verdict
from rehearsal.engine.engine import EngineFailedError
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, Settings, team
from tests.rehearsal.end_to_end.shell import shell_of, typed

pytestmark = pytest.mark.rehearsal

READ = (sys.executable, "-m", "daskfleet", "review")
REVIEW = (*READ, "--no-policies")
OTHER_IMAGE = "nvcr.io/nvidia/rapidsai/base:26.08-cuda12-py3.13"
LARGER_GPUS = {"machine_type": "a2-ultragpu-2g", "accelerator": "nvidia-a100-80gb"}


def reviewed(fleet: RunningRehearsal, settings: Settings, *options: str) -> tuple[int, Review]:
    """Review a change of the running fleet; exit status and what was said."""
    with fleet.considering(settings):
        done = typed(fleet, *REVIEW, "--format", "json", *options)
    assert done.stdout, done.stderr
    return done.returncode, from_json(done.stdout)


def image_change(fleet: RunningRehearsal) -> Settings:
    """A change that exchanges one team's Dask cluster."""
    settings = fleet.settings()
    team(settings, "genomics")["image"] = OTHER_IMAGE
    return settings


def other_machines(fleet: RunningRehearsal) -> Settings:
    """A change that replaces a pool."""
    settings = fleet.settings()
    pools = settings["daskfleet:worker_pools"]
    next(pool for pool in pools if pool["name"] == "a100-fixed").update(LARGER_GPUS)
    return settings


def test_an_unchanged_fleet_passes_and_is_said_to_be_that(fleet: RunningRehearsal) -> None:
    status, review = reviewed(fleet, fleet.settings())

    assert (status, review.verdict) == (0, Verdict.NO_CHANGE)
    assert review.steps == ()


def test_an_image_change_names_the_team_that_feels_it_and_passes(fleet: RunningRehearsal) -> None:
    status, review = reviewed(fleet, image_change(fleet))

    assert (status, review.verdict) == (0, Verdict.NEEDS_CARE)
    assert [str(each.subject) for each in review.consequences] == ["team genomics"]


def test_a_pool_that_is_replaced_passes_only_when_that_is_allowed(fleet: RunningRehearsal) -> None:
    with fleet.considering(other_machines(fleet)):
        fleet.run("preview")
        read = (*READ, "--events", str(fleet.event_log("preview")))
        stopped = typed(fleet, *read)
        passed = typed(fleet, *read, "--allow", "replace-pool")

    assert (stopped.returncode, passed.returncode) == (3, 0), stopped.stderr + passed.stderr
    assert "pool a100-fixed: all 2 nodes go first" in stopped.stdout


def test_a_refused_stack_file_is_a_review_that_failed_with_the_reason(
    fleet: RunningRehearsal,
) -> None:
    settings = fleet.settings()
    team(settings, "climate")["workers"] = 99
    status, review = reviewed(fleet, settings)

    assert (status, review.verdict) == (1, Verdict.FAILED)
    (error,) = review.errors
    assert "teams[0].workers" in error


def test_the_saved_plan_lets_up_do_what_was_reviewed_and_nothing_else(
    fleet: RunningRehearsal, tmp_path: Path
) -> None:
    plan = tmp_path / "plan.json"
    status, _ = reviewed(fleet, image_change(fleet), "--save-plan", str(plan))
    assert status == 0
    before = fleet.dask_pods("genomics").keys()

    # Of a pool, on which the team waits: what a refused step does not stop is done by then.
    beyond = image_change(fleet)
    pools = beyond["daskfleet:worker_pools"]
    next(pool for pool in pools if pool["name"] == "a100-auto")["autoscaling"]["max_nodes"] = 3
    with pytest.raises(EngineFailedError):
        fleet.up(beyond, "--plan", str(plan))

    assert re.search("violates plan|not allowed by the plan", fleet.said)
    assert fleet.dask_pods("genomics").keys() == before

    fleet.up(image_change(fleet), "--plan", str(plan))
    assert {each.images for each in fleet.dask_pods("genomics").values()} == {(OTHER_IMAGE,)}


def test_a_plan_fits_the_state_that_it_was_made_from_and_no_other(
    fleet: RunningRehearsal, tmp_path: Path
) -> None:
    plan = tmp_path / "plan.json"
    fits = (*READ, "plan-fits", str(plan), "--stack", fleet.workspace.stack)
    status, _ = reviewed(fleet, image_change(fleet), "--save-plan", str(plan))
    assert status == 0

    # An `up` that finds nothing to do moves nothing.
    assert fleet.up().changed == 0
    same = typed(fleet, *fits)
    assert same.returncode == 0, same.stderr

    # Of this change the plan of the engine knows nothing: it says what may be done, not to what.
    other = fleet.settings()
    team(other, "climate")["workers"] = 1
    fleet.up(other)
    moved = typed(fleet, *fits)
    assert moved.returncode == 3
    assert "DaskCluster climate-dask-cluster changed" in moved.stderr
    assert "Nothing was changed" in moved.stderr


def test_ctrl_c_ends_the_engine_and_leaves_neither_lock_nor_file(
    fleet: RunningRehearsal, tmp_path: Path
) -> None:
    process = subprocess.Popen(
        REVIEW,
        cwd=PROJECT_DIR,
        env={**shell_of(fleet), "TMPDIR": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert "steps" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    said, words = process.communicate()

    assert process.returncode == 130, words
    assert "Nothing was changed" in words
    assert said == ""
    assert list(tmp_path.glob("daskfleet-review-*")) == []
    assert list(fleet.workspace.state_dir.glob("**/locks/**/*.json")) == []
