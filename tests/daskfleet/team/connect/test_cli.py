"""Integration: the command as it is run, with an API server that stands in.

Both ways: with the kubeconfig alone, and with the state of a named stack.
"""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from components.outputs.fleet import fleet_outputs
from tests.components.fleets import fleet as planned_fleet
from tests.daskfleet.posted_notice import posted_notice
from tests.daskfleet.team.connect.api_server import Namespace, Pod, served

STATE_PRINTER = "#!/bin/sh\ncat {state}\n"


@asynccontextmanager
async def fleet(directory: Path) -> AsyncIterator[Path]:
    """A fleet whose team fraud has a scheduler, and a directory with all that tells of it."""
    namespace = Namespace(Pod("one"))
    planned = planned_fleet(teams=[{"name": "fraud"}])
    namespace.notice = posted_notice(planned)
    async with served(namespace) as kubeconfig:
        (directory / "kubeconfig").write_text(json.dumps(kubeconfig), encoding="utf-8")
        state = directory / "state.json"
        state.write_text(json.dumps(_state(kubeconfig, fleet_outputs(planned))), encoding="utf-8")
        pulumi = directory / "pulumi"
        pulumi.write_text(STATE_PRINTER.format(state=state), encoding="utf-8")
        pulumi.chmod(0o755)
        yield directory


def _state(kubeconfig: dict[str, Any], outputs: dict[str, Any]) -> dict[str, Any]:
    stack = {
        "type": "pulumi:pulumi:Stack",
        "urn": "urn:pulumi:prod::daskfleet::pulumi:pulumi:Stack::daskfleet-prod",
        "outputs": outputs,
    }
    way_in = {
        "type": "daskfleet:gke:KubernetesProvider",
        "outputs": {"kubeconfig": json.dumps(kubeconfig)},
    }
    return {"deployment": {"resources": [stack, way_in]}}


def environment(directory: Path) -> dict[str, str]:
    """Nothing of Pulumi but the `pulumi` of the directory, which members do not call."""
    ours = {name: each for name, each in os.environ.items() if not name.startswith("PULUMI_")}
    path = f"{directory}:{os.environ['PATH']}"
    kubeconfig = str(directory / "kubeconfig")
    return {**ours, "PATH": path, "KUBECONFIG": kubeconfig, "PYTHONUNBUFFERED": "1"}


@contextmanager
def connecting(directory: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-m", "daskfleet", "connect", *arguments],
        cwd=directory,
        env=environment(directory),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def read(file: Path) -> dict[str, Any]:
    connection: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return connection


async def line_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return await asyncio.to_thread(process.stdout.readline)


async def end_of(process: subprocess.Popen[str]) -> str:
    _, said = await asyncio.to_thread(process.communicate)
    return said


@pytest.mark.asyncio
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
async def test_one_line_connects_until_the_command_is_ended(
    tmp_path: Path, ending: signal.Signals
) -> None:
    async with fleet(tmp_path) as directory:
        with connecting(directory, "fraud") as process:
            line = await line_of(process)
            file = directory / "fraud.connection.json"
            address = read(file)["address"]
            assert line == (f'from dask.distributed import Client; client = Client("{address}")\n')
            port = int(address.rpartition(":")[2])
            assert await _who_answers(port) == "one:8786"

            process.send_signal(ending)
            said = await end_of(process)

        assert process.returncode == 0
        assert "forwarding to pod one" in said
        assert "Traceback" not in said
        assert not file.exists()


@pytest.mark.asyncio
async def test_a_member_and_a_platform_engineer_get_the_same(tmp_path: Path) -> None:
    found, said = [], []
    async with fleet(tmp_path) as directory:
        for options in ((), ("--stack", "prod")):
            if not options:
                (directory / "pulumi").rename(directory / "kept")  # nothing may ask for it
            with connecting(directory, "fraud", "--file", "one.json", *options) as process:
                line = await line_of(process)
                told = json.dumps({**read(directory / "one.json"), "python": line})
                # Whichever ports of this machine are free.
                found.append(json.loads(re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", told)))
                process.send_signal(signal.SIGINT)
                said.append(await end_of(process))
            if not options:
                (directory / "kept").rename(directory / "pulumi")

    assert found[0] == found[1]
    assert (found[0]["stack"], found[0]["team"]) == ("prod", "fraud")
    assert "reading the notice in namespace fraud" in said[0]
    assert "reading the stack's state" in said[1]


@pytest.mark.asyncio
async def test_a_team_without_a_notice_is_a_sentence_and_no_traceback(tmp_path: Path) -> None:
    async with fleet(tmp_path) as directory:
        with connecting(directory, "sales") as process:
            said = await end_of(process)

    assert process.returncode == 1
    assert "has no namespace sales" in said
    assert "Traceback" not in said


@pytest.mark.asyncio
async def test_two_at_once_have_ports_and_files_of_their_own(tmp_path: Path) -> None:
    async with fleet(tmp_path) as directory:
        with (
            connecting(directory, "fraud", "--file", "first.json") as first,
            connecting(directory, "fraud", "--file", "second.json") as second,
        ):
            lines = {await line_of(first), await line_of(second)}
            assert len(lines) == 2
            found = [read(directory / name) for name in ("first.json", "second.json")]
            assert len({each["address"] for each in found}) == 2
            assert len({each["dashboard"] for each in found}) == 2


@pytest.mark.asyncio
async def test_a_port_that_is_asked_for_and_taken_ends_the_command(tmp_path: Path) -> None:
    async with fleet(tmp_path) as directory:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            with connecting(directory, "fraud", "--dashboard-port", str(port)) as process:
                said = await end_of(process)
    assert process.returncode == 1
    assert f"Port {port} of 127.0.0.1 is taken" in said
    assert "`--dashboard-port`" in said


async def _who_answers(port: int) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    line = await reader.readline()
    writer.close()
    return line.decode().strip()
