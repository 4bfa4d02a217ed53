"""Running the probe in Pythons that cannot be the client."""

import asyncio
import signal
import socket
import subprocess
import sys
import venv
from pathlib import Path

import psutil
import pytest

from daskfleet.team.verify.collect.probing import Client, probe
from daskfleet.team.verify.errors import VerifyError


def asked(python: Path, *modules: str) -> None:
    client = Client(python=python, modules=modules)
    asyncio.run(probe(client, "tcp://127.0.0.1:1", [], progress=lambda _: None))


def test_a_python_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(VerifyError, match="nowhere/python cannot be run: No such file"):
        asked(tmp_path / "nowhere" / "python")


def test_a_python_without_distributed_is_told_what_it_lacks(tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", with_pip=False)
    with pytest.raises(VerifyError, match="No module named 'distributed'") as refused:
        asked(tmp_path / "bare" / "bin" / "python")
    assert "what the team's image has" in str(refused.value)


def test_a_module_that_the_client_itself_lacks_is_named() -> None:
    with pytest.raises(VerifyError, match="cannot import no_such_module"):
        asked(Path(sys.executable), "no_such_module")


def test_a_module_that_is_called_like_one_of_this_project_is_the_teams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "planning.py").write_text("raise ImportError('the team has its own')\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(VerifyError, match="the team has its own"):
        asked(Path(sys.executable), "planning")


ASK = """
import asyncio, pathlib, sys
from daskfleet.team.verify.collect.probing import Client, probe
asyncio.run(probe(Client(python=pathlib.Path(sys.executable)), sys.argv[1], [], progress=print))
"""


def test_ctrl_c_ends_the_probe_too() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        asking = subprocess.Popen(
            [sys.executable, "-u", "-c", ASK, address],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        with asking:
            assert asking.stdout is not None
            assert asking.stdout.readline() == "connecting\n"
            (child,) = psutil.Process(asking.pid).children()
            asking.send_signal(signal.SIGINT)
            asking.wait(timeout=30)
    assert not child.is_running()
