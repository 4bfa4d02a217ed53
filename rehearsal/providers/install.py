"""The provider plugins of a rehearsal: real ones where they can be had, else the stand-ins.

Plugins live in the rehearsal's own PULUMI_HOME, at
`plugins/resource-<name>-v<version>/pulumi-resource-<name>`, where the engine finds them without
any network; the user's own plugins are linked, never changed.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal, TypeAlias

Choice: TypeAlias = Literal["auto", "real", "stand-in"]

_DOWNLOAD_LIMIT_S: Final = 120
"""The gcp plugin is some 60 MB; without a network the engine gives up by itself in seconds."""

_PROJECT_ROOT: Final = Path(__file__).resolve().parents[2]


class Kind(StrEnum):
    """Whether a plugin is the published one."""

    REAL = "real"
    STAND_IN = "stand-in"


class PluginUnavailableError(Exception):
    """A real plugin was asked for and cannot be had."""


@dataclass(frozen=True)
class Package:
    """A provider package of the program: its SDK, and the majors that work with it."""

    name: str
    sdk: str
    major: int

    @property
    def sdk_version(self) -> str:
        """Version of the plugin that the installed Python SDK asks for."""
        text = files(self.sdk).joinpath("pulumi-plugin.json").read_text(encoding="utf-8")
        version: str = json.loads(text)["version"]
        return version


PACKAGES: Final = (
    Package(name="gcp", sdk="pulumi_gcp", major=10),
    Package(name="kubernetes", sdk="pulumi_kubernetes", major=4),
)


@dataclass(frozen=True, kw_only=True)
class InstalledPlugin:
    """One plugin as it is installed for the rehearsal; `origin` says where it came from."""

    name: str
    version: str
    kind: Kind
    origin: str


def install_plugins(
    *,
    pulumi_home: Path,
    choice: Choice,
    user_pulumi_home: Path,
    pulumi: Path,
    progress: Callable[[str], None],
) -> tuple[InstalledPlugin, ...]:
    """Put both provider plugins into the rehearsal's PULUMI_HOME, in place of earlier ones.

    Args:
        pulumi_home: the rehearsal's own; its `plugins` folder is written.
        choice: `auto` prefers real plugins, `real` insists on them, `stand-in` wants none.
        user_pulumi_home: where the user's Pulumi keeps plugins; only read.
        pulumi: the engine's executable, which can download plugins.
        progress: given a line per plugin.

    Raises:
        PluginUnavailableError: `real`, and a plugin is neither installed nor downloadable.

    """
    plugins = pulumi_home / "plugins"
    plugins.mkdir(parents=True, exist_ok=True)
    installed = []
    for package in PACKAGES:
        _clear(plugins, package)
        plugin = _real(package, plugins, user_pulumi_home, pulumi) if choice != "stand-in" else None
        if plugin is None and choice == "real":
            raise PluginUnavailableError(_how_to_get(package, user_pulumi_home))
        plugin = plugin or _write_stand_in(package, plugins)
        progress(f"provider {plugin.name} {plugin.version}: {plugin.kind} ({plugin.origin})")
        installed.append(plugin)
    return tuple(installed)


def _clear(plugins: Path, package: Package) -> None:
    """Remove what an earlier run with another choice left; a link goes, its target stays."""
    for entry in plugins.glob(f"resource-{package.name}-v*"):
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def _real(
    package: Package, plugins: Path, user_pulumi_home: Path, pulumi: Path
) -> InstalledPlugin | None:
    return _link_users(package, plugins, user_pulumi_home) or _download(package, plugins, pulumi)


def _link_users(package: Package, plugins: Path, user_pulumi_home: Path) -> InstalledPlugin | None:
    """Link the newest plugin of the right major that the user's Pulumi has."""
    found = {
        version: folder
        for folder in user_pulumi_home.glob(f"plugins/resource-{package.name}-v{package.major}.*")
        if (version := _version_of(folder.name)) and (folder / _executable(package)).exists()
    }
    if not found:
        return None
    newest = max(found)
    folder = found[newest]
    (plugins / folder.name).symlink_to(folder.resolve(), target_is_directory=True)
    return InstalledPlugin(
        name=package.name,
        version=".".join(map(str, newest)),
        kind=Kind.REAL,
        origin=f"installed at {folder}",
    )


def _download(package: Package, plugins: Path, pulumi: Path) -> InstalledPlugin | None:
    """Let the engine install the plugin; None when it cannot."""
    version = package.sdk_version
    command = [str(pulumi), "plugin", "install", "resource", package.name, version]
    environment = {
        **os.environ,
        "PULUMI_HOME": str(plugins.parent),
        "PULUMI_SKIP_UPDATE_CHECK": "1",
    }
    try:
        subprocess.run(
            command, env=environment, check=True, capture_output=True, timeout=_DOWNLOAD_LIMIT_S
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        _clear(plugins, package)
        return None
    return InstalledPlugin(
        name=package.name,
        version=version,
        kind=Kind.REAL,
        origin="downloaded by `pulumi plugin install`",
    )


def _write_stand_in(package: Package, plugins: Path) -> InstalledPlugin:
    """Write a script that runs the stand-in with this Python, whatever the paths contain."""
    version = package.sdk_version
    folder = plugins / f"resource-{package.name}-v{version}"
    folder.mkdir()
    script = folder / _executable(package)
    script.write_text(stand_in_script(package.name), encoding="utf-8")
    script.chmod(0o755)
    return InstalledPlugin(
        name=package.name,
        version=version,
        kind=Kind.STAND_IN,
        origin=f"rehearsal/providers/{package.name}",
    )


def stand_in_script(name: str) -> str:
    """Write the plugin's executable: a shell script, since a `#!` line has no room for spaces."""
    return (
        "#!/bin/sh\n"
        f"PYTHONPATH={shlex.quote(str(_PROJECT_ROOT))}${{PYTHONPATH:+:$PYTHONPATH}}\n"
        "export PYTHONPATH\n"
        f'exec {shlex.quote(sys.executable)} -m rehearsal.providers.{name} "$@"\n'
    )


def _executable(package: Package) -> str:
    return f"pulumi-resource-{package.name}"


def _version_of(folder: str) -> tuple[int, ...] | None:
    match = re.fullmatch(r"resource-[a-z-]+-v(\d+)\.(\d+)\.(\d+)", folder)
    return tuple(map(int, match.groups())) if match else None


def _how_to_get(package: Package, user_pulumi_home: Path) -> str:
    return (
        f"--providers real: no {package.name} plugin {package.major}.x is installed under "
        f"{user_pulumi_home / 'plugins'}, and `pulumi plugin install` could not download "
        f"{package.sdk_version}. Run `pulumi plugin install resource {package.name} "
        f"{package.sdk_version}` on a machine with access to get.pulumi.com, or use "
        "`--providers auto` for the stand-ins"
    )
