"""End to end, long: changes of every kind are rehearsed, and what is foretold happens."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from daskfleet.platform.review.model import Verdict
from daskfleet.platform.review.rehearsal_run.errors import NothingToSayError
from rehearsal.toolchain import Binaries
from tests.daskfleet.platform.review.rehearsal_run.rehearsed_project import (
    RehearsedProject,
    Settings,
    judged,
    pool,
    rehearsed_in,
    team,
)
from tests.project import PROJECT_DIR
from tests.upgrades.releases import Release, releases

pytestmark = [pytest.mark.rehearsal, pytest.mark.soak(files=10)]

OLDER_IMAGE = "nvcr.io/nvidia/rapidsai/base:26.08-cuda12-py3.13"
Change = Callable[[Settings], None]


def fewer_workers(settings: Settings) -> None:
    team(settings, "climate")["workers"] = 1


def another_disk(settings: Settings) -> None:
    pool(settings, "a100-fixed")["disk_size_gb"] = 300


def another_driver(settings: Settings) -> None:
    settings["daskfleet:driver"] = {"install": "daemonset", "version": "580.95.05"}


def spot_nodes(settings: Settings) -> None:
    pool(settings, "a100-fixed")["spot"] = True


def a_new_generation(settings: Settings) -> None:
    pool(settings, "a100-fixed").update(replacement="surge", spot=True)


def a_retired_team(settings: Settings) -> None:
    team(settings, "climate")["retire"] = True


def without_a_team(settings: Settings) -> None:
    teams = settings["daskfleet:teams"]
    settings["daskfleet:teams"] = [each for each in teams if each["name"] != "climate"]


def a_smaller_pool(settings: Settings) -> None:
    team(settings, "climate")["workers"] = 1
    pool(settings, "a100-fixed")["node_count"] = 1


def another_cluster(settings: Settings) -> None:
    settings["daskfleet:network"] = {"nodes_cidr": "10.32.0.0/20"}


def beside(settings: Settings) -> None:
    settings["daskfleet:scheduler_pool"]["node_count"] = 2
    team(settings, "climate").update(rollout="blue-green", image=OLDER_IMAGE)


def nothing(settings: Settings) -> None:
    del settings


@pytest.mark.parametrize(
    ("change", "verdict", "said", "unserved"),
    [
        (nothing, Verdict.NO_CHANGE, "not touched: team climate, team genomics", set()),
        (fewer_workers, Verdict.SAFE, "team climate: 1 of 2 workers went", set()),
        (another_disk, Verdict.NEEDS_CARE, "pool a100-fixed: 2 of 2 nodes went", set()),
        (another_driver, Verdict.NEEDS_CARE, "pool scheduler-pool: 1", {"climate", "genomics"}),
        (spot_nodes, Verdict.DESTROYS, "pool a100-fixed: 2 of 2 nodes went", set()),
        (a_new_generation, Verdict.DESTROYS, "pool a100-fixed: 2 of 2 nodes went", {"climate"}),
        (a_smaller_pool, Verdict.NEEDS_CARE, "pool a100-fixed: 1 of 2 nodes went", set()),
        (a_retired_team, Verdict.NEEDS_CARE, "team climate: its Dask cluster went", set()),
        (without_a_team, Verdict.DESTROYS, "namespace climate: went with everything", set()),
        (
            another_cluster,
            Verdict.DESTROYS,
            "as the runbook says of another cluster",
            {"climate", "genomics"},
        ),
        (beside, Verdict.NEEDS_CARE, "team climate: Dask cluster replaced", set()),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_a_change_does_what_was_foretold(
    change: Change, verdict: Verdict, said: str, unserved: set[str], project: RehearsedProject
) -> None:
    project.configure("rehearsal", change)

    done = project.rehearse("main~1..main")

    assert done.rehearsed.error == ""
    assert done.rehearsed.differences == ()
    assert any(line.startswith(said) for line in done.rehearsed.lines), done.rehearsed.lines
    assert done.rehearsed.seconds_without_scheduler.keys() == unserved
    assert done.rehearsed.second_up_changes == 0
    assert judged(done).verdict is verdict


def test_production_is_rehearsed_by_its_own_file(project: RehearsedProject) -> None:
    def change(settings: Settings) -> None:
        team(settings, "fraud")["image"] = OLDER_IMAGE

    project.configure("prod", change)

    done = project.rehearse("main~1..main", stack="prod")

    assert done.rehearsed.error == ""
    assert done.rehearsed.differences == ()
    assert done.rehearsed.seconds_without_scheduler.keys() == {"fraud"}
    assert done.preview.stack == "prod"


@pytest.mark.parametrize("release", releases(), ids=lambda release: release.version)
def test_an_upgrade_of_daskfleet_does_what_was_foretold(
    release: Release, binaries: Binaries, folders: Path
) -> None:
    del binaries, folders

    done = rehearsed_in(PROJECT_DIR, release.commit)

    assert done.rehearsed.error == ""
    assert done.rehearsed.differences == ()
    assert done.rehearsed.second_up_changes == 0


def test_a_new_environment_comes_up_from_nothing(project: RehearsedProject) -> None:
    stacks = project.directory / "stacks"
    settings = (stacks / "Pulumi.rehearsal.yaml").read_text()
    (stacks / "Pulumi.fresh.yaml").write_text(settings)

    done = project.rehearse("main", stack="fresh")

    assert done.rehearsed.error == ""
    assert done.rehearsed.differences == ()
    assert "team climate: new, scheduler and 2 workers" in done.rehearsed.lines
    assert done.rehearsed.seconds_without_scheduler == {}
    assert judged(done).verdict is Verdict.SAFE


@pytest.mark.parametrize(
    ("long_lived", "said"), [(False, "goes through"), (True, "is refused")], ids=str
)
def test_an_environment_that_is_removed_is_destroyed_as_somebody_would_have_to(
    project: RehearsedProject, said: str, *, long_lived: bool
) -> None:
    def change(settings: Settings) -> None:
        settings["daskfleet:long_lived"] = long_lived

    project.configure("rehearsal", change)
    (project.directory / "stacks" / "Pulumi.rehearsal.yaml").unlink()
    project.commit()

    done = project.rehearse("main~1..main")

    assert done.rehearsed.lines[0].endswith(said)
    assert "keeps running, and is paid for" in done.preview.warnings[0]
    goes = any(line.startswith("team climate: its Dask") for line in done.rehearsed.lines)
    assert goes is not long_lived


def test_a_change_whose_pods_find_no_place_fails_and_says_which(project: RehearsedProject) -> None:
    project.edit(
        "manifests/dask_worker_pod.py",
        r"(\*\*restricted\(grace_period_s=60\),)",
        r'\1 "nodeSelector": {"no-such": "label"},',
    )

    done = project.rehearse("main")

    # Which team is given up first is chance; then the engine waits for no other.
    assert re.search(r"pod \w+-default-worker-\S+: not scheduled", done.rehearsed.error)
    assert done.rehearsed.differences == ()
    review = judged(done)
    assert review.verdict is Verdict.FAILED
    assert not review.gate.passes


def test_settings_that_the_program_refuses_fail_with_its_words(project: RehearsedProject) -> None:
    def change(settings: Settings) -> None:
        team(settings, "climate")["workers"] = 99

    project.configure("rehearsal", change)

    done = project.rehearse("main~1..main")

    assert "workers" in done.rehearsed.error
    assert done.rehearsed.lines == ("nothing was applied",)
    assert judged(done).verdict is Verdict.FAILED


def test_of_a_fleet_that_does_not_come_up_nothing_is_said(
    project: RehearsedProject, folders: Path
) -> None:
    def break_it(settings: Settings) -> None:
        team(settings, "climate")["workers"] = 99

    def mend_it(settings: Settings) -> None:
        team(settings, "climate")["workers"] = 2

    project.configure("rehearsal", break_it)
    project.configure("rehearsal", mend_it)

    with pytest.raises(NothingToSayError, match=r"does not come up as it is at [0-9a-f]{12}"):
        project.rehearse("main~1..main")
    assert list(folders.iterdir()) == []
