"""Looking at what is installed on this machine."""

import platform
import tomllib
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import yaml

from daskfleet.access.processes import started
from daskfleet.platform.doctor.commands import ended, find
from daskfleet.platform.doctor.model import Finding
from daskfleet.platform.doctor.pulumi_cli import Answers
from daskfleet.platform.doctor.tools import (
    AUTH_PLUGIN,
    NO_DOWNLOADS,
    PACKAGES,
    auth_plugin_finding,
    package_findings,
    pins,
    plugin_findings,
    pulumi_finding,
    version_finding,
)


async def auth_plugin(environment: Mapping[str, str], project_dir: Path) -> list[Finding]:
    """Look at gke-gcloud-auth-plugin. What it prints is not shown: it may be a token."""
    executable = find(AUTH_PLUGIN, environment)
    if executable is None:
        return [auth_plugin_finding("not on PATH")]
    running = started((executable, "--version"), directory=project_dir, environment=environment)
    done = await ended(f"{AUTH_PLUGIN} --version", running)
    problem = f"{executable} ends with status {done.status}" if done.status else None
    return [auth_plugin_finding(problem)]


async def pulumi_version(pulumi: Answers | None, project_dir: Path) -> list[Finding]:
    """Look at the CLI's version."""
    project = yaml.safe_load((project_dir / "Pulumi.yaml").read_text("utf-8"))
    required = str(project["requiredPulumiVersion"])
    found = await pulumi.version() if pulumi else None
    return [pulumi_finding(found, required=required)]


async def python(project_dir: Path) -> list[Finding]:
    """Look at Python, which is the one of .venv, and at the program's packages in it."""
    declared = tomllib.loads((project_dir / "pyproject.toml").read_text("utf-8"))
    return [
        version_finding(
            "Python",
            platform.python_version(),
            required=str(declared["project"]["requires-python"]),
            fix="Make .venv again with a Python of that version.",
            command="rm -r .venv && make setup",
        ),
        *package_findings(_pins(project_dir), _installed()),
    ]


async def plugins(
    pulumi: Answers, environment: Mapping[str, str], project_dir: Path
) -> list[Finding]:
    """Look at the provider plugins."""
    downloads = environment.get(NO_DOWNLOADS, "").lower() not in ("1", "true")
    found = await pulumi.plugins()
    return list(plugin_findings(_pins(project_dir), found, downloads=downloads))


def _pins(project_dir: Path) -> dict[str, str]:
    return pins((project_dir / "requirements.in").read_text("utf-8"))


def _installed() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
