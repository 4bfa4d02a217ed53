"""End to end: the JupyterLab of one person, beside the team's, by Kubernetes' own rights."""

import base64
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.rehearsal.end_to_end.connect_command import connected
from tests.rehearsal.end_to_end.kubectl import forwarded, kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.shell import typed
from tests.rehearsal.showcase.notebook import PATIENCE_S, printed_by

pytestmark = pytest.mark.rehearsal

TEAM = "atmosphere"
HERS = "jupyter-alice"
ADDS_UP = """
import daskfleet
with daskfleet.connect() as client:
    print(client.submit(sum, [40, 2]).result(), client.scheduler.address)
"""


def token_of(showcase: RunningRehearsal, secret: str) -> str:
    """What the Secret holds."""
    found = json.loads(
        kubectl(showcase, "get", "secret", secret, "--namespace", TEAM, "--output=json")
    )
    return base64.b64decode(found["data"]["token"]).decode()


@contextmanager
def lab(showcase: RunningRehearsal, name: str, *, token: str) -> Iterator[httpx.Client]:
    """Somebody with a port-forward to a JupyterLab, and with a token."""
    with (
        forwarded(showcase, f"service/{name}", 8888, namespace=TEAM) as address,
        httpx.Client(base_url=f"http://{address}", timeout=PATIENCE_S, trust_env=False) as client,
    ):
        client.headers["Authorization"] = f"token {token}"
        yield client


def test_nobody_else_of_the_team_may_read_the_token(showcase: RunningRehearsal) -> None:
    read = ("kubectl", "--namespace", TEAM, "get", "secret")
    may = {
        (secret, who): typed(showcase, *read, secret, "--as", f"{who}@example.com").returncode == 0
        for secret in ("jupyter-token", f"{HERS}-token")
        for who in ("alice", "bob", "marie")
    }
    assert {key for key, is_allowed in may.items() if is_allowed} == {
        ("jupyter-token", "alice"),
        ("jupyter-token", "bob"),
        (f"{HERS}-token", "alice"),
    }


def test_the_teams_token_opens_it_as_little_as_hers_opens_the_teams(
    showcase: RunningRehearsal,
) -> None:
    tokens = {name: token_of(showcase, f"{name}-token") for name in ("jupyter", HERS)}
    for name in tokens:
        for of, token in tokens.items():
            with lab(showcase, name, token=token) as client:
                status = client.get("/api/status").status_code
                assert (status == httpx.codes.OK) == (of == name), (name, of)


def test_what_is_at_her_home_is_in_no_other(showcase: RunningRehearsal) -> None:
    path = "/api/contents/hers.txt"
    file = {"type": "file", "format": "text", "content": "draft"}
    with lab(showcase, HERS, token=token_of(showcase, f"{HERS}-token")) as client:
        assert client.put(path, json=file).is_success
        assert client.get(path).json()["content"] == "draft"
    with lab(showcase, "jupyter", token=token_of(showcase, "jupyter-token")) as client:
        assert client.get(path).status_code == httpx.codes.NOT_FOUND


def test_connect_in_her_notebook_needs_no_team_no_tunnel_and_no_kubeconfig(
    showcase: RunningRehearsal,
) -> None:
    """With the team's TLS; where daskfleet is not in the image it is `Client()`."""
    with lab(showcase, HERS, token=token_of(showcase, f"{HERS}-token")) as client:
        said = printed_by(client, ADDS_UP)
    assert said == f"42 tls://dask.{TEAM}.svc.cluster.local:8786\n"


def test_the_command_holds_hers_by_her_name(showcase: RunningRehearsal, tmp_path: Path) -> None:
    with connected(showcase, TEAM, tmp_path, "--jupyter-of", "alice") as connection:
        said = connection.news.read_text("utf-8")
        address = re.search(r"JupyterLab: (http://127\.0\.0\.1:\d+)/lab", said)
        assert address is not None
        token = (tmp_path / f"{TEAM}.alice.jupyter-token").read_text("utf-8")
        right = {"Authorization": f"token {token}"}
        answer = httpx.get(f"{address[1]}/api/status", headers=right, timeout=PATIENCE_S)
        assert answer.status_code == httpx.codes.OK


def test_verify_counts_it(showcase: RunningRehearsal) -> None:
    done = typed(showcase, sys.executable, "-m", "daskfleet", "verify", TEAM, "--json")
    (checks,) = (team["checks"] for team in json.loads(done.stdout)["teams"])
    (found,) = (check for check in checks if check["name"] == "JupyterLab")
    assert found["outcome"] == "ok", found
    assert found["seen"].count("jupyter-") == 2
    assert HERS in found["seen"]
