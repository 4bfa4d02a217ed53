"""Commands as processes that the system fails: each ends in a sentence and an exit status."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from daskfleet.pressure import explained
from tests.daskfleet.platform.report.documents import SAMPLE_FILE
from tests.daskfleet.platform.review.recordings import RECORDED
from tests.project import PROJECT_DIR

COMMAND = (sys.executable, "-m", "daskfleet")
PRINTING = {
    "--version": ("--version",),
    "--help": ("--help",),
    "cost": ("cost", "--stack", "dev"),
    "cost --json": ("cost", "--stack", "dev", "--json"),
    "cluster-spec": ("cluster-spec", "biology", "--stack", "showcase"),
    "review --help": ("review", "--help"),
    "review": ("review", "--stack", "rehearsal", "--events", str(RECORDED / "no_change.jsonl")),
}
"""What prints to standard output and needs no fleet."""

REFUSING = {
    "doctor": ("doctor", "--stack", "nosuch"),
    "cost": ("cost", "--stack", "nosuch"),
    "rehearse status": ("rehearse", "status", "--stack", "nosuch"),
    "report": ("report", "--from", "nosuch.json"),
    "usage": ("cost", "--nosuch"),
}
"""What prints to standard error alone."""


def run(
    arguments: Sequence[str], *, before: str = "", redirect: str = "", **environment: str | None
) -> subprocess.CompletedProcess[str]:
    """Run a command from a shell, as people do; None takes a variable away."""
    surroundings = {"PYTHONPATH": str(PROJECT_DIR), **os.environ, **environment}
    done = subprocess.run(
        ["/bin/sh", "-c", f'{before} exec "$@" {redirect}', "sh", *COMMAND, *arguments],
        cwd=PROJECT_DIR,
        env={name: value for name, value in surroundings.items() if value is not None},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return done


@pytest.mark.parametrize("arguments", PRINTING.values(), ids=PRINTING)
def test_full_standard_output(arguments: Sequence[str]) -> None:
    done = run(arguments, redirect=">/dev/full")
    assert done.returncode == 1
    assert done.stderr == "daskfleet: standard output: No space left on device.\n"


LOOKED = {
    "verify": """
import daskfleet.team.verify.cli
from daskfleet.team.verify.model import Report, TeamReport, passed
teams = (TeamReport(team="t", checks=(passed("workers", expected="2", seen="2"),)),)
daskfleet.team.verify.cli.look = lambda *_, **__: Report(stack="s", teams=teams)
""",
    "drift": """
import daskfleet.platform.drift.cli
from daskfleet.platform.drift.model import Report
report = Report(stack="s", differences=(), google_resources=12, kubernetes_objects=26)
daskfleet.platform.drift.cli.look = lambda *_, **__: report
""",
    "doctor": """
import daskfleet.platform.doctor.cli
from daskfleet.platform.doctor.model import Area, Finding, Outcome, Report
async def examine(*_, **__):
    well = Finding(area=Area.TOOLS, subject="pulumi", outcome=Outcome.OK, there="v3.256.0")
    return Report(stack="s", findings=(well,))
daskfleet.platform.doctor.cli.examine = examine
""",
}
"""Each as if it had looked at a fleet in which all is well."""


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["table", "json"])
@pytest.mark.parametrize("verb", LOOKED)
def test_full_standard_output_of_what_has_looked_at_a_fleet(verb: str, form: Sequence[str]) -> None:
    program = f"{LOOKED[verb]}\nfrom daskfleet.cli import main\nmain()"
    stack = ("--stack", "dev") if verb == "doctor" else ()
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", program, verb, *stack, *form],
            cwd=PROJECT_DIR,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.endswith("daskfleet: standard output: No space left on device.\n")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", PRINTING.values(), ids=PRINTING)
def test_standard_output_whose_reader_has_gone(arguments: Sequence[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=PROJECT_DIR,
        env={"PYTHONPATH": str(PROJECT_DIR), **os.environ},
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 1
    assert done.stderr == "daskfleet: standard output: Broken pipe.\n"


def test_closed_standard_output_and_input_and_error() -> None:
    done = run(PRINTING["cost"], redirect=">&-")
    assert done.returncode == 1
    assert done.stderr.startswith("daskfleet: standard output is closed. ")
    assert run(PRINTING["cost"], redirect="<&-").returncode == 0
    assert run(REFUSING["cost"], redirect="2>&-").returncode == 2


@pytest.mark.parametrize("arguments", REFUSING.values(), ids=REFUSING)
def test_full_standard_error_is_no_success(arguments: Sequence[str]) -> None:
    assert run(arguments, redirect="2>/dev/full").returncode in {1, 2}


@pytest.mark.parametrize("columns", ["0", "1", "9" * 20, "²"])
def test_a_width_that_is_none_loses_nothing(columns: str) -> None:
    done = run(PRINTING["--help"], COLUMNS=columns)
    assert done.returncode == 0
    assert len(done.stdout) > 500
    assert max(map(len, done.stdout.splitlines())) < 1000


def test_columns_0_prints_the_cost() -> None:
    assert run(PRINTING["cost"], COLUMNS="0").stdout == run(PRINTING["cost"], COLUMNS=None).stdout


@pytest.mark.parametrize("name", ["cost", "cluster-spec"])
def test_without_a_home(name: str) -> None:
    done = run(PRINTING[name], HOME=None, XDG_CACHE_HOME=None)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_user_without_a_home_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unknown(_: object) -> None:
        raise KeyError

    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", unknown)
    with pytest.raises(SystemExit) as ended, explained():
        Path.home()
    assert ended.value.code == 1
    assert capsys.readouterr().err == (
        "daskfleet: this user has no home folder. Set HOME to one.\n"
    )


def test_a_directory_that_is_gone(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    done = run(PRINTING["cost"], before=f"cd {gone}; rmdir {gone};")
    assert done.returncode == 1
    assert done.stderr == "daskfleet: the current directory is deleted. Change to another.\n"


def test_a_full_disk_leaves_the_page_that_was_there(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("the old page")
    report = ("report", "--from", str(SAMPLE_FILE), "--html", str(page))
    # A file may have 4 KiB, in the shell's blocks of 512 bytes.
    done = run(report, before="ulimit -f 8;")
    assert done.returncode == 1
    assert done.stderr == f"  [Errno 27] File too large: '{page}'\n"
    assert page.read_text() == "the old page"
    assert list(tmp_path.iterdir()) == [page]


def test_where_nothing_can_be_written() -> None:
    report = ("report", "--from", str(SAMPLE_FILE), "--html", "/proc/page.html")
    done = run(report)
    assert done.returncode == 1
    assert done.stderr.endswith(": '/proc/page.html'\n")


@pytest.mark.parametrize("after_s", [0.0, 0.2, 0.4, 0.6, 1.0])
def test_ctrl_c_anywhere_is_a_sentence(after_s: float) -> None:
    asked = subprocess.Popen(
        [*COMMAND, *PRINTING["cost"]],
        cwd=PROJECT_DIR,
        env={"PYTHONPATH": str(PROJECT_DIR), **os.environ},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    _until_it_is_ours(asked)
    time.sleep(after_s)
    asked.send_signal(signal.SIGINT)
    _, said = asked.communicate(timeout=60)
    # CPython sends itself the signal where it came in code that ran in `exec`, as dataclasses' does
    # (pythonrun.c, run_eval_code_obj); a shell calls both 130.
    interrupted = [(status, "daskfleet: interrupted.\n") for status in (130, -signal.SIGINT)]
    assert (asked.returncode, said) in [*interrupted, (0, "")]


def _until_it_is_ours(process: "subprocess.Popen[str]") -> None:
    """Wait until Python itself has started, and the first import of the command has begun."""
    first = "_csv"  # of importlib.metadata
    while first not in Path(f"/proc/{process.pid}/maps").read_text():
        assert process.poll() is None
        time.sleep(0.005)


@pytest.mark.parametrize("verb", ["down", "status", "shell"])
def test_a_stack_that_is_not_rehearsed_leaves_nothing(verb: str) -> None:
    run(("rehearse", verb, "--stack", "nosuch"))
    assert not list((PROJECT_DIR / ".rehearsal").glob("*nosuch*"))


@pytest.mark.parametrize("verb", ["save", "forget"])
def test_neither_does_a_snapshot_of_it(verb: str) -> None:
    assert run(("rehearse", verb, "named", "--stack", "nosuch")).returncode == 1
    assert not list((PROJECT_DIR / ".rehearsal").glob("*nosuch*"))
