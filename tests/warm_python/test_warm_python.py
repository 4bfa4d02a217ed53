"""Rehearsal tier: to whoever starts it, a warm Python is a Python."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.project import PROJECT_DIR
from tests.warm_python.fixtures import REAL_PYTHON

pytestmark = pytest.mark.rehearsal

IS_WARM = "import sys; print('pulumi_gcp.container' in sys.modules, end='')"
GONE_S = 20.0

Script = Callable[[str], list[str]]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Give the command that runs a text as a script of a name that is run warm."""

    def write(text: str) -> list[str]:
        file = tmp_path / "pulumi-language-python-exec"
        file.write_text(text)
        return [sys.executable, str(file)]

    return write


def said(command: list[str], **surroundings: str) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, **surroundings}
    )
    return done.stdout


def test_what_the_engine_starts_is_warm_and_everything_else_is_not(script: Script) -> None:
    assert said(script(IS_WARM)) == "True"
    assert said([sys.executable, "-c", IS_WARM]) == "False"
    assert said([REAL_PYTHON, *script(IS_WARM)[1:]]) == "False"


def test_arguments_environment_directory_and_streams_are_the_callers(
    script: Script, tmp_path: Path
) -> None:
    done = subprocess.run(
        [
            *script(
                "import os, sys\n"
                "print(sys.argv[1:], os.environ['COLOUR'], os.getcwd(), sys.path[0])\n"
                "print(sys.stdin.read())\n"
                "print('wrong', file=sys.stderr)\n"
            ),
            "a b",
            "--c",
        ],
        input="hello",
        cwd="/",
        env={**os.environ, "COLOUR": "blue"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"['a b', '--c'] blue / {tmp_path}\nhello\n"
    assert done.stderr == "wrong\n"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("", 0),
        ("raise SystemExit(3)", 3),
        ("raise SystemExit('no')", 1),
        ("1 / 0", 1),
        ("import os; os.kill(os.getpid(), 9)", -signal.SIGKILL),
    ],
)
def test_it_ends_as_the_script_ends(script: Script, text: str, status: int) -> None:
    assert subprocess.run(script(text), capture_output=True, check=False).returncode == status


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_reaches_the_script(script: Script, number: signal.Signals) -> None:
    text = (
        "import signal, sys, time\n"
        f"signal.signal({int(number)}, lambda *_: sys.exit(42))\n"
        "print('ready', flush=True)\n"
        # One long sleep would miss a signal that comes just before it begins.
        "while True: time.sleep(0.05)\n"
    )
    with subprocess.Popen(script(text), stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        process.send_signal(number)
        assert process.wait(timeout=GONE_S) == 42


def test_who_is_killed_takes_the_fork_along(script: Script) -> None:
    text = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"
    with subprocess.Popen(script(text), stdout=subprocess.PIPE) as process:
        assert process.stdout
        fork = int(process.stdout.readline())
        process.kill()
    with contextlib.suppress(psutil.NoSuchProcess):
        psutil.Process(fork).wait(timeout=GONE_S)
    assert not psutil.pid_exists(fork)


def test_a_script_learns_that_its_callers_parent_is_gone(script: Script) -> None:
    text = (
        "import os, time\n"
        "before = os.getppid()\n"
        "print(before, flush=True)\n"
        "while os.getppid() == before: time.sleep(0.05)\n"
        "print('alone', flush=True)\n"
    )
    parent = f"import subprocess; subprocess.Popen({script(text)!r}); import time; time.sleep(60)"
    with subprocess.Popen([REAL_PYTHON, "-c", parent], stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert int(process.stdout.readline()) == process.pid
        process.kill()
        assert process.stdout.readline() == b"alone\n"


def test_another_checkout_of_the_project_gets_its_own_modules(
    script: Script, tmp_path: Path
) -> None:
    (tmp_path / "daskfleet").mkdir()
    (tmp_path / "daskfleet" / "__init__.py").write_text("WHERE = 'other'")
    text = "import daskfleet, sys; print(daskfleet.__file__, 'components' in sys.modules)"
    assert said(script(text)) == f"{tmp_path}/daskfleet/__init__.py False\n"
    ours = said(
        script("import components; print(components.__file__)"), PYTHONPATH=str(PROJECT_DIR)
    )
    assert ours == f"{PROJECT_DIR}/components/__init__.py\n"


def test_the_command_runs_wherever_it_is_called(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "daskfleet", "--version"]
    printed = subprocess.check_output(command, cwd=tmp_path, text=True)
    assert printed == subprocess.check_output([REAL_PYTHON, *command[1:]], cwd=tmp_path, text=True)


def test_what_is_installed_is_told_as_pip_tells_it_and_found_out_once() -> None:
    asked = ["-m", "pip", "list", "-v", "--format", "json"]
    told = [json.loads(said([sys.executable, *asked])) for _ in range(2)]
    assert told[0] == told[1] == json.loads(said([REAL_PYTHON, *asked]))


def test_it_starts_many_times_at_once(script: Script) -> None:
    command = script("import time; time.sleep(0.2); print('done', end='')")
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(20)]
    deadline = time.monotonic() + GONE_S
    assert [each.communicate(timeout=deadline - time.monotonic())[0] for each in running] == (
        [b"done"] * len(running)
    )


def test_it_ends_with_whoever_keeps_it_warm(tmp_path: Path) -> None:
    text = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "import psutil\n"
        "from tests.warm_python.launch import warm_python\n"
        "with warm_python(Path(sys.argv[1])):\n"
        "    print(psutil.Process().children()[0].pid, flush=True)\n"
        "    time.sleep(60)\n"
    )
    command = [REAL_PYTHON, "-c", text, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=PROJECT_DIR) as process:
        assert process.stdout
        server = int(process.stdout.readline())
        process.kill()
    with contextlib.suppress(psutil.NoSuchProcess):
        psutil.Process(server).wait(timeout=GONE_S)
    assert not psutil.pid_exists(server)


def test_temporary_files_lie_where_the_caller_wants_them(script: Script, tmp_path: Path) -> None:
    command = script("import tempfile; print(tempfile.gettempdir(), end='')")
    assert said(command, TMPDIR=str(tmp_path)) == str(tmp_path)
