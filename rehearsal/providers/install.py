"""The provider plugins of a rehearsal: real ones where they can be had, else the stand-ins.

Plugins live in the rehearsal's own PULUMI_HOME, at
`plugins/resource-<name>-v<version>/pulumi-resource-<name>`, where the engine finds them without
any network; the user's own plugins are linked, never changed.
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, Literal, TypeAlias

import httpx

from daskfleet.checkout import SOURCE_DIR
from daskfleet.files import OWNER_ONLY_UMASK, make_private_directory, write_private_file
from rehearsal.providers.packages import PACKAGES, Package

Choice: TypeAlias = Literal["auto", "real", "stand-in"]

_DOWNLOAD_SITE: Final = "https://get.pulumi.com"
_CONNECT_LIMIT_S: Final = 3
"""Asked first because the engine itself tries five times, 10 s for each plugin."""

_DOWNLOAD_LIMIT_S: Final = 120

_STAND_IN_MARK: Final = "# stand-in of daskfleet's rehearsal"


class Kind(StrEnum):
    """Whether a plugin is the published one."""

    REAL = "real"
    STAND_IN = "stand-in"


class PluginUnavailableError(Exception):
    """A real plugin cannot be had; the message says what to do."""


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
    """Put all provider plugins into the rehearsal's PULUMI_HOME, in place of earlier ones.

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
    make_private_directory(plugins)
    installed = []
    for package in PACKAGES:
        if choice == "stand-in":
            plugin = _write_stand_in(package, plugins)
        else:
            real = _downloaded_before(package, plugins)
            real = real or _link_users(package, plugins, user_pulumi_home / "plugins")
            plugin = real or _download_or_stand_in(package, plugins, pulumi, choice, progress)
        progress(f"provider {plugin.name} {plugin.version}: {plugin.kind} ({plugin.origin})")
        installed.append(plugin)
    return tuple(installed)


def _clear(plugins: Path, package: Package) -> None:
    """Remove what an earlier run left; of a link only the link, never its target."""
    for entry in package.folders(plugins):
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def _downloaded_before(package: Package, plugins: Path) -> InstalledPlugin | None:
    """Keep a plugin that an earlier rehearsal downloaded."""
    found = package.newest(plugins)
    if found is None:
        return None
    executable = found[1] / package.executable
    if executable.is_symlink() or _is_stand_in(executable):
        return None
    return _real(package, found[0], "downloaded for an earlier rehearsal")


def _link_users(package: Package, plugins: Path, users: Path) -> InstalledPlugin | None:
    """Link the newest plugin that the user's Pulumi has, file by file.

    The engine passes over entries of ``plugins`` that are no folders, and a link to one is none.
    """
    found = package.newest(users)
    if found is None:
        return None
    version, folder = found
    _clear(plugins, package)
    linked = plugins / folder.name
    linked.mkdir(mode=0o700)
    for entry in folder.resolve().iterdir():
        (linked / entry.name).symlink_to(entry)
    return _real(package, version, f"installed at {folder}")


def _download_or_stand_in(
    package: Package,
    plugins: Path,
    pulumi: Path,
    choice: Choice,
    progress: Callable[[str], None],
) -> InstalledPlugin:
    try:
        return _download(package, plugins, pulumi)
    except PluginUnavailableError as error:
        if choice == "real":
            raise
        progress(f"provider {package.name}: {error}")
        return _write_stand_in(package, plugins)


def _download(package: Package, plugins: Path, pulumi: Path) -> InstalledPlugin:
    """Let the engine install the plugin. Raises PluginUnavailableError when it cannot."""
    _clear(plugins, package)
    try:
        httpx.head(_DOWNLOAD_SITE, timeout=_CONNECT_LIMIT_S)
    except httpx.TransportError as error:
        raise PluginUnavailableError(_how_to_get(package, f"{_DOWNLOAD_SITE}: {error}")) from error
    version = package.sdk_version
    command = [str(pulumi), "plugin", "install", "resource", package.name, version]
    environment = {
        **os.environ,
        "PULUMI_HOME": str(plugins.parent),
        "PULUMI_SKIP_UPDATE_CHECK": "1",
    }
    try:
        subprocess.run(
            command,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
            timeout=_DOWNLOAD_LIMIT_S,
            umask=OWNER_ONLY_UMASK,
        )
    except subprocess.TimeoutExpired as error:
        said = f"no answer within {_DOWNLOAD_LIMIT_S} s"
        raise PluginUnavailableError(_how_to_get(package, said)) from error
    except subprocess.CalledProcessError as error:
        said = (error.stderr.strip() or error.stdout.strip() or "no reason given").splitlines()[-1]
        raise PluginUnavailableError(_how_to_get(package, said)) from error
    return _real(package, version, "downloaded by `pulumi plugin install`")


def _real(package: Package, version: str, origin: str) -> InstalledPlugin:
    return InstalledPlugin(name=package.name, version=version, kind=Kind.REAL, origin=origin)


def _write_stand_in(package: Package, plugins: Path) -> InstalledPlugin:
    """Write the executable under the version that the SDK asks for."""
    _clear(plugins, package)
    version = package.sdk_version
    script = plugins / f"resource-{package.name}-v{version}" / package.executable
    script.parent.mkdir(mode=0o700)
    write_private_file(script, stand_in_script(package.name))
    script.chmod(0o700)
    return InstalledPlugin(
        name=package.name,
        version=version,
        kind=Kind.STAND_IN,
        origin=f"rehearsal/providers/{package.name}",
    )


def stand_in_script(name: str) -> str:
    """Write a shell script that runs the stand-in: a `#!` line has no room for spaces in paths.

    ``-P``: the engine starts plugins in the program's directory, which may be another revision's
    checkout with a ``rehearsal`` of its own.
    """
    return (
        f"#!/bin/sh\n{_STAND_IN_MARK}\n"
        f"PYTHONPATH={shlex.quote(str(SOURCE_DIR))}${{PYTHONPATH:+:$PYTHONPATH}}\n"
        "export PYTHONPATH\n"
        f'exec {shlex.quote(sys.executable)} -P -m rehearsal.providers.{name} "$@"\n'
    )


def _is_stand_in(executable: Path) -> bool:
    with executable.open("rb") as file:
        return _STAND_IN_MARK.encode() in file.read(200)


def _how_to_get(package: Package, said: str) -> str:
    command = f"pulumi plugin install resource {package.name} {package.sdk_version}"
    return (
        f"no {package.name} plugin {package.major}.x is installed and the engine could not "
        f"download one ({said}); run `{command}` where {_DOWNLOAD_SITE} can be reached, or "
        "rehearse with `--providers stand-in`"
    )
