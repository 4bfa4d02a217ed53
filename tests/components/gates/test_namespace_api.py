"""Unit: what asking the Kubernetes API leaves on the disk, and what a pod may answer."""

import asyncio
import base64
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from components.gates.namespace_api import NamespaceApi, UnansweredError
from components.gates.scheduler_answers import Retired
from daskfleet.access import pod_http
from daskfleet.access.kubeconfig import with_files
from manifests.kubeconfig import kubeconfig_for
from tests.project import PROJECT_DIR

PEM = "-----BEGIN CERTIFICATE-----\n"
LOGIN = """
import json, sys
from components.gates.namespace_api import program_directory
from daskfleet.access.kubeconfig import with_files
first, second = (with_files(json.loads(sys.argv[1]), program_directory()) for _ in range(2))
assert first == second
path = first["clusters"][0]["cluster"]["certificate-authority"]
print(path, open(path).read(), end="")
"""


def test_the_authority_is_in_one_file_that_goes_with_the_program() -> None:
    kubeconfig = kubeconfig_for(
        name="c", host="127.0.0.1:1", ca_certificate=base64.b64encode(PEM.encode()).decode()
    )
    project = PROJECT_DIR
    said = subprocess.run(
        [sys.executable, "-c", LOGIN, json.dumps(kubeconfig)],
        cwd=project,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    path, content = said.split(" ", 1)
    assert content == PEM
    assert not Path(path).exists()


def test_an_endpoint_that_public_authorities_vouch_for_needs_no_file(tmp_path: Path) -> None:
    kubeconfig = kubeconfig_for(name="c", host="gke-1.gke.goog", ca_certificate=None)
    assert with_files(kubeconfig, tmp_path) == kubeconfig
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    "answer",
    [
        *(b"<html>", b"[" * 100_000, b"\xff", b"", b"[]", b"null"),
        *(b'{"tcp://a": 1}', b'{"tcp://a": {}}', b'{"tcp://a": {"name": [1]}}'),
    ],
)
def test_a_pod_that_answers_what_no_scheduler_does_may_be_asked_again(
    answer: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fetch(_: object, **asked: Any) -> bytes:
        assert asked["body"] == b'{"workers": ["tcp://10.0.0.1:1"]}'
        return answer

    monkeypatch.setattr(pod_http, "fetch", fetch)
    api: Any = object()
    asking = NamespaceApi(api, namespace="fraud").ask_pod(
        "s",
        "http://s.fraud:8787/api/v1/retire_workers",
        answers=Retired,
        body={"workers": ["tcp://10.0.0.1:1"]},
    )
    with pytest.raises(UnansweredError, match="pod s gives an answer that no scheduler gives"):
        asyncio.run(asking)
