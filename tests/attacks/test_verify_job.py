"""Attack: a scheduler whose answers are code, and a platform engineer who runs `verify`.

A real API server, its controllers, and pods that are processes of this machine.
"""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from daskfleet.team.verify.collect import in_namespace
from daskfleet.team.verify.look import look
from daskfleet.team.verify.model import Check, Outcome
from daskfleet.team.verify.question import Question
from manifests.verify_job import NAME_PREFIX
from rehearsal.control_plane import ControlPlane
from rehearsal.toolchain import Binaries
from tests.attacks.team_of_members import until
from tests.attacks.test_verify import A_PLAIN_CLIENT, SECRETS
from tests.attacks.verified_team import QUOTA, TEAM, VerifiedTeam, make_team, verified_team
from tests.daskfleet.team.verify.samples import dask
from tests.rehearsal.control_plane.conftest import POD_CIDR, SERVICE_CIDR, ApiClient

pytestmark = pytest.mark.rehearsal

CREDENTIALS = {name: value for name, value in SECRETS.items() if name != "KUBECONFIG"}
"""Beside the kubeconfig, which is the one that works."""

MERGE = {"Content-Type": "application/merge-patch+json"}


@pytest.fixture(scope="module")
def made(binaries: Binaries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VerifiedTeam]:
    directory = tmp_path_factory.mktemp("verified")
    control_plane = ControlPlane(
        binaries=binaries,
        directory=directory / "plane",
        service_cidr=SERVICE_CIDR,
        pod_cidr=POD_CIDR,
        dask="run",
    )
    control_plane.start()
    try:
        with verified_team(control_plane, directory) as team:
            yield team
    finally:
        control_plane.stop()


@pytest.fixture
def team(made: VerifiedTeam) -> Iterator[VerifiedTeam]:
    """The team; whoever asked has taken all of it away."""
    yield made
    assert made.jobs() == []
    until(lambda: made.asking_pods() == [])


def test_code_in_an_answer_runs_in_the_teams_pod_and_nowhere_else(
    team: VerifiedTeam, tmp_path: Path
) -> None:
    loot = tmp_path / "loot"
    team.code.write_text(
        "import json, os\n"
        f"with open({str(loot)!r}, 'a') as file: file.write(json.dumps(dict(os.environ)) + '\\n')\n"
    )
    # The attack works on whoever decodes the answer with all that an engineer has.
    subprocess.run(
        [sys.executable, "-c", A_PLAIN_CLIENT, scheduler_address(team)],
        env=team.environment(**CREDENTIALS),
        check=False,
        timeout=60,
    )
    stolen = loot.read_text()
    assert all(secret in stolen for secret in CREDENTIALS.values())
    assert str(team.control_plane.admin_kubeconfig) in stolen
    loot.unlink()
    team.verified(**CREDENTIALS)

    decoders = [json.loads(line) for line in loot.read_text().splitlines()]
    assert decoders
    for environment in decoders:
        assert environment["HOSTNAME"].startswith(NAME_PREFIX)
        assert not CREDENTIALS.keys() & environment.keys()
        assert "KUBECONFIG" not in environment
    assert not any(secret in str(decoders) for secret in CREDENTIALS.values())


WRITE = "import os\nfor part in {parts}: os.write(1, part)\nos._exit(0)\n"
HOSTILE = {
    "more than is read": ([b"[" * 2**20] * 6, "it is longer than 4 MiB"),
    "brackets": ([b'\n{"facts":' + b"[" * 100_000 + b"\n"], "it is not what the probe writes"),
    "a terminal's command": (
        [b'\n{"refused": "\\u001b[2Jgone"}\n'],
        "it is not what the probe writes",
    ),
    "nothing": ([], "the pod that asks ended with status 0"),
    "a refusal": ([b'\n{"refused": "it"}\n'], "the module must be in the image"),
}


@pytest.mark.parametrize(("parts", "why"), HOSTILE.values(), ids=HOSTILE)
def test_what_the_team_writes_in_the_answers_place_is_a_failed_check(
    team: VerifiedTeam, parts: list[bytes], why: str
) -> None:
    team.code.write_text(WRITE.format(parts=parts))
    checks = team.verified()

    assert checks["connection"]["outcome"] == "failed"
    assert why in checks["connection"]["seen"]


def test_a_team_can_lie_about_its_own_cluster_and_no_more(team: VerifiedTeam) -> None:
    lie = b'\n{"facts": ' + dask().model_dump_json().encode() + b"}\n"
    team.code.write_text(WRITE.format(parts=[lie]))
    checks = team.verified()

    assert checks["connection"]["outcome"] == "ok"
    # What Kubernetes says is not theirs to tell: the declared worker is missing.
    assert checks["pods ready"]["outcome"] == "failed"


def test_ctrl_c_takes_the_pod_away(team: VerifiedTeam, tmp_path: Path) -> None:
    decodes = tmp_path / "decodes"
    team.code.write_text(f"import time\nopen({str(decodes)!r}, 'w')\ntime.sleep(3600)\n")
    with team.verify() as running:
        until(decodes.exists)
        (job,) = team.jobs()
        assert re.fullmatch(rf"{NAME_PREFIX}\w+", job["metadata"]["name"])
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)

    assert running.returncode == 130
    assert "Interrupted" in errors


def test_a_quota_without_room_is_not_measured(
    team: VerifiedTeam, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_namespace, "MADE_TIMEOUT_S", 3)
    before = team.platform.get(QUOTA).json()["spec"]["hard"]["pods"]
    allow_pods(team, "1")
    try:
        connection = connection_as_an_engineer_sees_it(team.control_plane, monkeypatch)
    finally:
        allow_pods(team, before)

    assert connection.outcome is Outcome.NOT_MEASURED
    assert connection.seen.startswith("no pod was made: ")
    assert "exceeded quota: team" in connection.seen


def test_pods_that_do_not_really_run_are_not_measured(
    control_plane: ControlPlane, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(in_namespace, "LOG_TIMEOUT_S", 2)
    with ApiClient(control_plane, token=control_plane.client_token) as platform:
        make_team(platform, tmp_path / "nobody-runs-it")
        connection = connection_as_an_engineer_sees_it(control_plane, monkeypatch)

        assert connection.outcome is Outcome.NOT_MEASURED
        assert re.match(rf"the log of pod {NAME_PREFIX}\S+ cannot be read: ", connection.seen)
        assert platform.get(f"/apis/batch/v1/namespaces/{TEAM}/jobs").json()["items"] == []
        platform.delete(f"/api/v1/namespaces/{TEAM}")
        platform.delete("/api/v1/nodes/n1")


def scheduler_address(team: VerifiedTeam) -> str:
    """Where the scheduler listens on this machine."""
    log = next((team.code.parent / "pods" / "pods").glob("*/logs/scheduler.log"))
    until(lambda: "tcp://" in log.read_text())
    return log.read_text().split()[-1]


def connection_as_an_engineer_sees_it(
    control_plane: ControlPlane, monkeypatch: pytest.MonkeyPatch
) -> Check:
    """What the command says of the connection to who may read nodes."""
    monkeypatch.setenv("KUBECONFIG", str(control_plane.admin_kubeconfig))
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    report = look(Path.cwd(), Question(stack=None, team=TEAM), progress=lambda _: None)
    return next(each for each in report.teams[0].checks if each.name == "connection")


def allow_pods(team: VerifiedTeam, number: str) -> None:
    change = {"spec": {"hard": {"pods": number}}}
    assert team.platform.patch(QUOTA, json=change, headers=MERGE).is_success
    team.platform.wait_for(QUOTA, lambda quota: quota["status"]["hard"]["pods"] == number)
