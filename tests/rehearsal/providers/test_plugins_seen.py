"""End to end: the engine itself says which plugins it has in a rehearsal's PULUMI_HOME."""

import json
import os
import subprocess
from pathlib import Path

import httpx
import pytest

from rehearsal.providers.install import Kind, install_plugins
from rehearsal.toolchain import Binaries

pytestmark = pytest.mark.rehearsal


def _users_plugin(users: Path, name: str, version: str) -> None:
    folder = users / "plugins" / f"resource-{name}-v{version}"
    folder.mkdir(parents=True)
    executable = folder / f"pulumi-resource-{name}"
    executable.write_text("#!/bin/sh\n")
    executable.chmod(0o755)
    (folder / "PulumiPlugin.yaml").write_text("runtime: go\n")


def test_the_engine_sees_the_plugins_of_the_user_and_the_stand_ins(
    binaries: Binaries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(url: str, **_: object) -> None:
        raise httpx.ConnectError(f"no route to {url}")

    monkeypatch.setattr(httpx, "head", refuse)
    _users_plugin(tmp_path / "user", "gcp", "10.1.0")
    _users_plugin(tmp_path / "user", "kubernetes", "4.30.0")

    installed = install_plugins(
        pulumi_home=tmp_path / "rehearsal",
        choice="auto",
        user_pulumi_home=tmp_path / "user",
        pulumi=binaries.pulumi,
        progress=lambda _line: None,
    )

    environment = {**os.environ, "PULUMI_HOME": str(tmp_path / "rehearsal")}
    said = subprocess.run(
        [binaries.pulumi, "plugin", "ls", "--json"],
        env={**environment, "PULUMI_SKIP_UPDATE_CHECK": "1"},
        capture_output=True,
        check=True,
    )
    seen = {(each["name"], each["version"]) for each in json.loads(said.stdout)}
    assert {(each.name, each.version) for each in installed} == seen
    assert {each.name for each in installed if each.kind is Kind.REAL} == {"gcp", "kubernetes"}
