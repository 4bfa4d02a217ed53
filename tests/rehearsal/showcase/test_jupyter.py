"""End to end: a team's JupyterLab, asked through a port-forward as its members ask it."""

import base64
import json
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.rehearsal.end_to_end.connect_command import connected
from tests.rehearsal.end_to_end.kubectl import forwarded, kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.waiting import until
from tests.rehearsal.showcase.notebook import printed_by

pytestmark = pytest.mark.rehearsal

TEAM = "atmosphere"
DASHBOARD = "proxy/dask.atmosphere.svc.cluster.local:8787"
ADDS_UP = "from dask.distributed import Client; print(Client().submit(sum, [40, 2]).result())"
PATIENCE_S = 60


@pytest.fixture
def token(showcase: RunningRehearsal) -> str:
    """What the Secret holds."""
    secret = json.loads(
        kubectl(showcase, "get", "secret", "jupyter-token", "--namespace", TEAM, "--output=json")
    )
    return base64.b64decode(secret["data"]["token"]).decode()


@pytest.fixture
def stranger(showcase: RunningRehearsal) -> Iterator[httpx.Client]:
    """Somebody who has the port and not the token."""
    with (
        forwarded(showcase, "service/jupyter", 8888, namespace=TEAM) as address,
        httpx.Client(base_url=f"http://{address}", timeout=PATIENCE_S, trust_env=False) as client,
    ):
        yield client


@pytest.fixture
def member(stranger: httpx.Client, token: str) -> httpx.Client:
    """Somebody who has both."""
    stranger.headers["Authorization"] = f"token {token}"
    return stranger


def test_nobody_gets_in_without_the_token(stranger: httpx.Client, token: str) -> None:
    for path in ("/api/status", "/api/contents"):
        assert stranger.get(path).status_code == httpx.codes.FORBIDDEN
    for path in ("/lab", f"/{DASHBOARD}/status"):
        assert stranger.get(path).headers["location"].startswith("/login")
    wrong = {"Authorization": "token rapids"}
    assert stranger.get("/api/status", headers=wrong).status_code == httpx.codes.FORBIDDEN
    right = {"Authorization": f"token {token}"}
    assert stranger.get("/api/status", headers=right).status_code == httpx.codes.OK
    # A page that has its own name lead to this machine.
    rebound = {**right, "Host": "attacker.example"}
    assert stranger.get("/api/status", headers=rebound).status_code == httpx.codes.FORBIDDEN


def test_it_has_a_gpu_on_the_pool_that_it_names(showcase: RunningRehearsal) -> None:
    (lab,) = (
        pod
        for pod in showcase.see().pods
        if pod.namespace == TEAM and pod.labels.get("app.kubernetes.io/component") == "jupyter"
    )
    assert lab.requests["nvidia.com/gpu"] == 1
    assert showcase.see().nodes[lab.node].pool == "l4"


def test_a_notebook_computes_on_the_teams_cluster_by_a_bare_client(member: httpx.Client) -> None:
    assert printed_by(member, ADDS_UP) == "42\n"


def test_the_dashboard_of_the_team_is_shown_and_no_other(member: httpx.Client) -> None:
    settings = member.get("/lab/api/settings/dask-labextension:plugin").json()
    assert settings["schema"]["properties"]["defaultURL"]["default"] == DASHBOARD
    assert "Task Stream" in member.get(f"/{DASHBOARD}/individual-plots.json").text
    for other in ("dask.biology.svc.cluster.local:8787", "localhost:8888", "127.0.0.1:22"):
        assert member.get(f"/proxy/{other}/").status_code == httpx.codes.FORBIDDEN


def test_connect_holds_it_and_keeps_its_token_in_a_file_of_the_users_own(
    showcase: RunningRehearsal, tmp_path: Path, token: str
) -> None:
    options = ("--jupyter",)
    with connected(showcase, TEAM, tmp_path, *options) as connection:
        said = connection.news.read_text("utf-8")
        address = re.search(r"JupyterLab: (http://127\.0\.0\.1:\d+)/lab", said)
        assert address is not None
        file = tmp_path / f"{TEAM}.jupyter-token"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        right = {"Authorization": f"token {file.read_text('utf-8')}"}
        answer = httpx.get(f"{address[1]}/api/status", headers=right, timeout=PATIENCE_S)
        assert answer.status_code == httpx.codes.OK
        assert token not in said + connection.line
    assert not file.exists()


def test_what_is_at_home_survives_the_pod(
    showcase: RunningRehearsal, stranger: httpx.Client, token: str
) -> None:
    right = {"Authorization": f"token {token}"}
    file = {"type": "file", "format": "text", "content": "results"}
    assert stranger.put("/api/contents/kept.txt", json=file, headers=right).is_success
    here = ("--namespace", TEAM)
    jupyter = "app.kubernetes.io/component=jupyter"
    kubectl(showcase, "delete", "pod", "--selector", jupyter, *here)
    kubectl(showcase, "rollout", "status", "deployment/jupyter", "--timeout=180s", *here)

    def kept() -> bool:
        with (
            forwarded(showcase, "service/jupyter", 8888, namespace=TEAM) as address,
            httpx.Client(base_url=f"http://{address}", headers=right, trust_env=False) as client,
        ):
            answer = client.get("/api/contents/kept.txt")
            return answer.is_success and answer.json()["content"] == "results"

    until(kept)


def test_the_token_is_in_no_log_no_argument_and_not_at_home(
    showcase: RunningRehearsal, token: str
) -> None:
    logs = kubectl(showcase, "logs", "deployment/jupyter", "--namespace", TEAM)
    assert "Jupyter Server" in logs
    assert token not in logs
    pods = kubectl(showcase, "get", "pods,deployments,configmaps", "--namespace", TEAM, "-oyaml")
    assert token not in pods
    disks = showcase.workspace.disks_dir
    at_home = [file for file in disks.rglob("*") if file.is_file()]
    assert at_home
    assert not [file for file in at_home if token in file.read_text("utf-8", errors="replace")]
