"""Which plugins a rehearsal gets. Unit tier: folders and scripts, no engine and no network."""

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from rehearsal.providers.install import (
    Choice,
    InstalledPlugin,
    Kind,
    PluginUnavailableError,
    install_plugins,
    stand_in_script,
)
from rehearsal.providers.packages import PACKAGES

VERSIONS = {package.name: package.sdk_version for package in PACKAGES}


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(url: str, **_: object) -> None:
        raise httpx.ConnectError(f"no route to {url}")

    monkeypatch.setattr(httpx, "head", refuse)


def _install(tmp_path: Path, choice: Choice) -> dict[str, InstalledPlugin]:
    plugins = install_plugins(
        pulumi_home=tmp_path / "rehearsal",
        choice=choice,
        user_pulumi_home=tmp_path / "user",
        pulumi=tmp_path / "pulumi",
        progress=lambda _line: None,
    )
    return {plugin.name: plugin for plugin in plugins}


def _users_plugin(tmp_path: Path, name: str, version: str) -> Path:
    folder = tmp_path / "user/plugins" / f"resource-{name}-v{version}"
    folder.mkdir(parents=True)
    (folder / f"pulumi-resource-{name}").write_bytes(b"\x7fELF")
    return folder


def _installed_folders(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in (tmp_path / "rehearsal/plugins").iterdir())


def test_without_real_plugins_auto_takes_stand_ins_under_the_sdks_versions(
    tmp_path: Path,
) -> None:
    plugins = _install(tmp_path, "auto")
    assert {plugin.kind for plugin in plugins.values()} == {Kind.STAND_IN}
    assert {name: plugin.version for name, plugin in plugins.items()} == VERSIONS
    assert _installed_folders(tmp_path) == sorted(
        f"resource-{name}-v{version}" for name, version in VERSIONS.items()
    )


def test_auto_takes_the_users_newest_plugin_of_the_right_major(tmp_path: Path) -> None:
    for version in ("9.9.9", "10.1.0", "10.10.0", "10.9.0", "11.0.0"):
        _users_plugin(tmp_path, "gcp", version)
    plugins = _install(tmp_path, "auto")
    assert plugins["gcp"].kind is Kind.REAL
    assert plugins["gcp"].version == "10.10.0"
    assert plugins["kubernetes"].kind is Kind.STAND_IN
    executable = tmp_path / "rehearsal/plugins/resource-gcp-v10.10.0/pulumi-resource-gcp"
    assert executable.read_bytes() == b"\x7fELF"


def test_stand_in_ignores_the_users_plugins_and_leaves_them_alone(tmp_path: Path) -> None:
    folder = _users_plugin(tmp_path, "gcp", "10.1.0")
    _install(tmp_path, "auto")
    assert _install(tmp_path, "stand-in")["gcp"].kind is Kind.STAND_IN
    assert f"resource-gcp-v{VERSIONS['gcp']}" in _installed_folders(tmp_path)
    assert "resource-gcp-v10.1.0" not in _installed_folders(tmp_path)
    assert (folder / "pulumi-resource-gcp").exists()


def test_the_users_next_plugin_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    older = _users_plugin(tmp_path, "gcp", "10.1.0")
    _install(tmp_path, "auto")
    newer = _users_plugin(tmp_path, "gcp", "10.2.1")
    assert _install(tmp_path, "auto")["gcp"].origin == f"installed at {newer}"
    assert "resource-gcp-v10.1.0" not in _installed_folders(tmp_path)
    assert (older / "pulumi-resource-gcp").exists()


def test_a_plugin_that_an_earlier_rehearsal_downloaded_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "rehearsal/plugins/resource-gcp-v10.2.0"
    folder.mkdir(parents=True)
    (folder / "pulumi-resource-gcp").write_bytes(b"\x7fELF")
    plugin = _install(tmp_path, "auto")["gcp"]
    assert plugin.kind is Kind.REAL
    assert "earlier" in plugin.origin


def test_real_without_a_plugin_or_network_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(PluginUnavailableError) as caught:
        _install(tmp_path, "real")
    assert f"pulumi plugin install resource gcp {VERSIONS['gcp']}" in str(caught.value)
    assert "no route to https://get.pulumi.com" in str(caught.value)


def test_a_failed_download_passes_on_what_the_engine_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(httpx, "head", lambda *_args, **_kwargs: None)
    engine = tmp_path / "pulumi"
    engine.write_text("#!/bin/sh\necho 'error: disk full' >&2\nexit 1\n")
    engine.chmod(0o755)
    with pytest.raises(PluginUnavailableError, match="disk full"):
        _install(tmp_path, "real")


@pytest.fixture(params=sorted(VERSIONS))
def stand_in(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    script = tmp_path / "a folder with spaces" / "plugin"
    script.parent.mkdir()
    script.write_text(stand_in_script(request.param))
    script.chmod(0o755)
    return script


def test_a_stand_in_starts_from_a_path_with_spaces_and_prints_its_port(stand_in: Path) -> None:
    with subprocess.Popen([stand_in], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = process.stdout.readline()
        process.terminate()
    assert int(port) > 0


def test_a_stand_in_ends_when_the_engine_was_killed(stand_in: Path) -> None:
    engine = ["/bin/sh", "-c", '"$0" & read _', str(stand_in)]
    pipe = subprocess.PIPE
    with subprocess.Popen(engine, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        assert int(process.stdout.readline()) > 0
        process.kill()
        rest = process.stdout.read()  # ends when the last holder of the pipe has ended
    assert rest == ""


def test_the_script_runs_this_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/home/a b/it's/python")
    assert "'/home/a b/it'\"'\"'s/python' -P -m rehearsal.providers.gcp" in stand_in_script("gcp")
