"""The verb on a `pulumi` that answers from a script; unit tier."""

import json
import os
import stat
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from daskfleet.cli import app
from daskfleet.platform.release_team import cli
from daskfleet.platform.release_team.owned import teams_in
from tests.daskfleet.platform.release_team.test_owned import state
from tests.project import PROJECT_DIR

PULUMI = """#!{python}
import json, pathlib, sys
here = pathlib.Path({here!r})
words = sys.argv[1:3]
state, lock, moved = here / "state.json", here / "lock", here / "moved"
if words == ["stack", "export"]:
    print(state.read_text())
    if moved.exists():
        moved.replace(state)
elif words == ["stack", "import"]:
    given = sys.stdin.read()
    if lock.exists():
        sys.exit(lock.read_text())
    state.write_text(given)
else:
    sys.exit(f"nobody asks for {{words}}")
"""
LOCKED = "error: the stack is currently locked by 1 lock(s). created by ann@laptop (pid 7) at 9:00"


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `pulumi` on PATH, whose stack has two teams, and the stack's file."""
    script = tmp_path / "pulumi"
    script.write_text(PULUMI.format(python=sys.executable, here=str(tmp_path)))
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    known = state()
    stack = {"urn": "urn:pulumi:rehearsal::daskfleet::x::y", "type": "pulumi:pulumi:Stack"}
    known["deployment"]["resources"].insert(0, stack)
    (tmp_path / "state.json").write_text(json.dumps(known))
    monkeypatch.setattr(cli, "STACKS_DIR", PROJECT_DIR / "stacks")
    monkeypatch.setattr(cli, "PROJECT_DIR", tmp_path)
    return tmp_path


def released(directory: Path, *words: str, said: str = "") -> Result:
    backup = ("--backup", str(directory / "kept.state.json"))
    return CliRunner().invoke(app, ["release", "climate", *backup, *words], input=said)


def test_the_state_is_saved_for_its_owner_alone_and_the_way_back_is_told(directory: Path) -> None:
    before = json.loads((directory / "state.json").read_text())
    done = released(directory, "--yes")
    assert done.exit_code == 0, done.stderr
    backup = directory / "kept.state.json"
    assert json.loads(backup.read_text()) == before
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert f"pulumi stack import --stack rehearsal --file {backup}" in done.stdout
    assert teams_in(json.loads((directory / "state.json").read_text())) == ("genomics",)


def test_what_ends_is_said_before_the_question_and_no_leaves_all_as_it_is(directory: Path) -> None:
    before = (directory / "state.json").read_text()
    done = released(directory, said="n\n")
    assert done.exit_code == 1
    assert done.stdout.index("Ends:") < done.stdout.index("Release team climate of stack rehearsal")
    assert (directory / "state.json").read_text() == before
    assert not (directory / "kept.state.json").exists()


def test_a_backup_is_not_overwritten(directory: Path) -> None:
    (directory / "kept.state.json").write_text("older")
    done = released(directory, "--yes")
    assert (done.exit_code, "no backup is overwritten" in done.stderr) == (1, True)
    assert (directory / "kept.state.json").read_text() == "older"


def test_a_state_that_has_moved_meanwhile_is_not_written(directory: Path) -> None:
    moved = json.loads((directory / "state.json").read_text())
    moved["deployment"]["resources"].pop()
    (directory / "moved").write_text(json.dumps(moved))
    done = released(directory, "--yes")
    assert (done.exit_code, "changed the stack's state meanwhile" in done.stderr) == (1, True)
    assert json.loads((directory / "state.json").read_text()) == moved


def test_whoever_works_on_the_stack_is_named(directory: Path) -> None:
    (directory / "lock").write_text(LOCKED)
    before = (directory / "state.json").read_text()
    done = released(directory, "--yes")
    assert (done.exit_code, "ann@laptop (process 7)" in done.stderr) == (1, True)
    assert (directory / "state.json").read_text() == before
