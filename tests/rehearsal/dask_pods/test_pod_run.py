"""Integration: a pod's life as processes of this machine, told by its status."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from rehearsal.dask_pods.model import Mounted
from rehearsal.dask_pods.pod_run import PodRun
from tests.rehearsal.dask_pods.pods import pod
from tests.rehearsal.dask_pods.running import (
    Start,
    has_restarted,
    is_alive,
    is_ready,
    is_waiting,
    main,
    process_of,
    until,
)

pytestmark = pytest.mark.asyncio

TOKEN = {"name": "TOKEN", "valueFrom": {"secretKeyRef": {"name": "access", "key": "TOKEN"}}}


def shell(script: str, **container: Any) -> dict[str, Any]:
    """A container that runs a script."""
    return {"command": ["sh", "-c", script], **container}


def said(log: Path) -> list[str]:
    """The texts of a log's lines."""
    lines = log.read_text("utf-8").splitlines()
    return [line.split(" ", 3)[3] for line in lines]


def has_spoken(run: PodRun) -> bool:
    return run.log_file("main").stat().st_size > 0


def fails_once_up() -> dict[str, Any]:
    """A probe that has no answer before the script says by a file that its trap is set."""
    ask = "until test -e $HOME/up; do sleep 0.05; done; exit 1"
    return {"exec": {"command": ["sh", "-c", ask]}, "timeoutSeconds": 20, "failureThreshold": 1}


async def test_a_container_that_fails_starts_again_at_once_and_then_backs_off(start: Start) -> None:
    run = await start(pod(shell("echo run; exit 3")))
    status = await until(run, is_waiting)
    waiting = main(status)["state"]["waiting"]
    assert waiting["reason"] == "CrashLoopBackOff"
    assert waiting["message"] == (
        "back-off 10s restarting failed container=main pod=alpha-worker-1_alpha(0f6c1c1e)"
    )
    assert main(status)["restartCount"] == 1
    assert main(status)["lastState"]["terminated"]["exitCode"] == 3
    assert status["phase"] == "Running"
    assert not is_ready(status)
    assert said(run.log_file("main")) == said(run.log_file("main", previous=True)) == ["run"]
    assert run.pids == ()


async def test_a_process_that_is_killed_behind_our_back_is_seen_and_replaced(start: Start) -> None:
    run = await start(pod(shell("sleep 60 & echo up; wait")))
    await until(run, lambda _: has_spoken(run))
    first = process_of(run)
    (child,) = first.children()
    first.kill()
    status = await until(run, has_restarted)
    assert main(status)["lastState"]["terminated"] == {
        **main(status)["lastState"]["terminated"],
        "exitCode": 128 + signal.SIGKILL,
        "reason": "Error",
    }
    assert not is_alive(child)
    assert process_of(run).pid != first.pid


@pytest.mark.parametrize(("code", "phase"), [(0, "Succeeded"), (4, "Failed")])
async def test_a_pod_that_is_never_restarted_is_over_when_it_ends(
    start: Start, code: int, phase: str
) -> None:
    run = await start(pod(shell(f"exit {code}"), restartPolicy="Never"))
    status = await until(run, lambda status: status["phase"] == phase)
    assert main(status)["state"]["terminated"]["exitCode"] == code
    assert main(status)["restartCount"] == 0


@pytest.mark.parametrize("kind", ["livenessProbe", "startupProbe"])
async def test_a_failed_probe_ends_the_process_and_starts_it_again(start: Start, kind: str) -> None:
    script = "trap 'echo asked to end; exit 0' TERM; echo up; touch $HOME/up; sleep 60 & wait"
    run = await start(pod(shell(script, **{kind: fails_once_up()}), restartPolicy="OnFailure"))
    status = await until(run, has_restarted)
    assert main(status)["lastState"]["terminated"]["exitCode"] == 0
    assert said(run.log_file("main", previous=True)) == ["up", "asked to end"]


async def test_readiness_comes_and_goes_without_a_restart(start: Start, tmp_path: Path) -> None:
    flag = tmp_path / "ready"
    probe = {"exec": {"command": ["test", "-e", str(flag)]}, "periodSeconds": 1}
    run = await start(pod(shell("sleep 60 & wait", readinessProbe=probe)))
    await until(run, lambda status: main(status)["started"])
    assert not is_ready(run.status())
    flag.touch()
    await until(run, is_ready)
    flag.unlink()
    status = await until(run, lambda status: not is_ready(status))
    assert main(status)["restartCount"] == 0
    assert main(status)["started"]


async def test_who_does_not_end_when_asked_is_killed_with_its_children(start: Start) -> None:
    run = await start(pod(shell("trap '' TERM; sleep 60 & echo up; while :; do sleep 1; done")))
    await until(run, lambda _: has_spoken(run))
    leader = process_of(run)
    processes = [leader, *leader.children(recursive=True)]
    assert len(processes) > 1
    await run.end(grace_s=0.2)
    assert not any(is_alive(process) for process in processes)
    assert main(run.status())["state"]["terminated"]["exitCode"] == 128 + signal.SIGKILL
    assert run.status()["phase"] == "Failed"


async def test_a_pod_that_has_ended_starts_nothing_again(start: Start) -> None:
    run = await start(pod(shell("exit 1")))
    await until(run, is_waiting)
    await run.end(grace_s=1)
    await run.look()
    status = run.status()
    assert status["phase"] == "Failed"
    assert main(status)["state"]["terminated"]["exitCode"] == 1
    assert run.pids == ()


async def test_a_process_knows_its_pod_and_nothing_of_this_session(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULUMI_CONFIG_PASSPHRASE", "hush")
    container = shell("echo up; sleep 60 & wait", env=[{"name": "OWN", "value": "$(OWN)"}])
    run = await start(pod(container))
    await until(run, lambda _: has_spoken(run))
    environment = process_of(run).environ()
    assert environment["OWN"] == "$(OWN)"
    assert environment["HOSTNAME"] == "alpha-worker-1"
    assert set(environment) - set(run.exec_environment("main")) <= {"PWD"}
    assert "PULUMI_CONFIG_PASSPHRASE" not in environment
    assert os.getpgid(process_of(run).pid) == process_of(run).pid


async def test_a_container_waits_for_a_secret_and_does_not_show_it(start: Start) -> None:
    run = await start(pod(shell("echo $TOKEN; sleep 60 & wait", env=[TOKEN])))
    waiting = main(run.status())["state"]["waiting"]
    assert waiting == {
        "reason": "CreateContainerConfigError",
        "message": 'secret "access" not found',
    }
    assert run.status()["phase"] == "Pending"
    run.now_mounted(Mounted(config_maps={}, secrets={"access": {"TOKEN": b"hush"}}))
    await until(run, is_ready)
    await until(run, lambda _: has_spoken(run))
    assert said(run.log_file("main")) == ["hush"]
    assert "TOKEN" not in run.exec_environment("main")


async def test_a_volume_that_cannot_be_made_is_the_reason_for_waiting(start: Start) -> None:
    volumes = [{"name": "data", "persistentVolumeClaim": {"claimName": "c"}}]
    run = await start(pod(shell("exit 0"), volumes=volumes))
    await run.look()
    waiting = main(run.status())["state"]["waiting"]
    assert waiting["reason"] == "ContainerCreating"
    assert 'persistentvolumeclaim "c" has no disk' in waiting["message"]
    assert run.pids == ()


@pytest.mark.parametrize(
    ("container", "words"),
    [
        ({"command": ["no-such-program"]}, 'exec: "no-such-program": executable file not found'),
        ({}, "no command specified"),
    ],
)
async def test_a_program_that_is_not_there_is_an_error_of_the_start(
    start: Start, container: dict[str, Any], words: str
) -> None:
    run = await start(pod(container))
    terminated = main(run.status())["state"]["terminated"]
    assert terminated["reason"] == "StartError"
    assert terminated["exitCode"] == 128
    assert words in terminated["message"]
    # What containerd has opened for it; `kubectl logs` shows nothing, and is no error.
    assert run.log_file("main").read_bytes() == b""


async def test_ports_are_those_that_the_containers_declare(start: Start) -> None:
    run = await start(pod(shell("exit 0", ports=[{"containerPort": 8786}, {"containerPort": 1}])))
    assert run.forwarded_ports() == (8786, 1)


async def test_an_end_during_the_kill_of_a_probe_ends_once(start: Start) -> None:
    script = "trap 'echo asked; sleep 1; exit 0' TERM; touch $HOME/up; sleep 60 & wait"
    run = await start(pod(shell(script, livenessProbe=fails_once_up())))
    process = process_of(run)
    await until(run, lambda _: has_spoken(run))
    await run.end(grace_s=10)
    assert not is_alive(process)
    assert main(run.status())["restartCount"] == 0
    assert run.status()["phase"] == "Succeeded"
