"""What the workflow `check` runs side by side is what `.ci/run` runs, whole."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.project import PROJECT_DIR
from tests.workflows.files import Job, jobs

RUN = PROJECT_DIR / ".ci/run"
CHECK = {each.name: each for each in jobs() if each.workflow == "check"}
NOTES = '#!/bin/sh\necho "${0##*/} $*" >> "$CALLS"\n'


def part_of(job: Job) -> str:
    """Give the part of `.ci/run` that a job runs."""
    (line,) = (step["run"] for step in job.steps if "run" in step)
    found = re.fullmatch(r"\.ci/run ([a-z-]+)( \"\$SHARD\")?", line)
    assert found, line
    return found[1]


def called(folder: Path, *arguments: str) -> list[str]:
    """Run `.ci/run` with commands that only note how they were called."""
    (folder / ".ci").mkdir()
    (folder / ".ci/run").write_bytes(RUN.read_bytes())
    for name in ("make", ".ci/prepare"):
        (folder / name).write_text(NOTES)
        (folder / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    environment["CALLS"] = str(folder / "calls")
    subprocess.run(["/bin/bash", folder / ".ci/run", *arguments], env=environment, check=True)
    return (folder / "calls").read_text().splitlines()


def test_a_newcomer_runs_everything_after_the_machine_was_looked_at(tmp_path: Path) -> None:
    assert called(tmp_path) == ["prepare all", "make check", "make test"]


@pytest.mark.parametrize(
    ("arguments", "target"),
    [
        (("check",), "make check"),
        (("quick",), "make test-quick"),
        (("toolchain",), "make toolchain"),
        (("end-to-end", "2/3"), "make test-end-to-end SHARD=2/3"),
        (("real-providers",), "make test-real-providers"),
        (("operator",), "make test-operator"),
    ],
)
def test_a_part_is_a_target_after_the_machine_was_looked_at(
    tmp_path: Path, arguments: tuple[str, ...], target: str
) -> None:
    assert called(tmp_path, *arguments) == [f"prepare {arguments[0]}", target]


def test_each_job_runs_the_part_that_it_is_called() -> None:
    assert {name: part_of(each) for name, each in CHECK.items()} == {
        name: name
        for name in ("check", "quick", "toolchain", "end-to-end", "real-providers", "operator")
    }


def test_the_shards_together_are_the_whole() -> None:
    shards = CHECK["end-to-end"].content["strategy"]["matrix"]["shard"]
    assert shards == [f"{number}/{len(shards)}" for number in range(1, len(shards) + 1)]


def test_quick_and_end_to_end_leave_nothing_out_of_make_test() -> None:
    makefile = (PROJECT_DIR / "Makefile").read_text()
    assert '-m "not rehearsal and not soak"' in makefile
    assert '-m "rehearsal or soak" --soak=turn' in makefile
    assert "$(BIN)/pytest $(PARALLEL) --soak=turn\n" in makefile


def test_the_toolchain_is_built_once_before_the_shards_and_kept_until_a_pin_moves() -> None:
    for each in ("end-to-end", "real-providers", "operator"):
        assert CHECK[each].content["needs"] == "toolchain"
    keys = {
        name: step["with"]["key"]
        for name, each in CHECK.items()
        for step in each.steps
        if "actions/cache@" in step.get("uses", "")
    }
    users = {"end-to-end", "real-providers", "operator"}
    assert keys.keys() == {"check", "toolchain", *users}
    assert {keys[each] for each in users} == {keys["toolchain"]} != {keys["check"]}
    assert all("hashFiles('rehearsal/toolchain/**')" in key for key in keys.values())


@pytest.mark.parametrize("name", ["quick", "end-to-end", "real-providers"])
def test_jobs_that_test_have_the_whole_history(name: str) -> None:
    (checkout,) = (
        step for step in CHECK[name].steps if "actions/checkout@" in step.get("uses", "")
    )
    assert checkout["with"]["fetch-depth"] == 0


@pytest.mark.parametrize("each", CHECK.values(), ids=CHECK)
def test_no_job_of_it_has_a_right_beyond_reading_or_waits_longer_than_45_minutes(each: Job) -> None:
    assert "permissions" not in each.content
    assert "environment" not in each.content
    assert each.content["timeout-minutes"] <= 45
