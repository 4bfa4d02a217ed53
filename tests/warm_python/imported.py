"""What the warm process imports ahead, and what a fork of another checkout must not see of it."""

import gc
import importlib
import pkgutil
import sys
from collections.abc import Sequence
from importlib.machinery import PathFinder
from pathlib import Path

from rehearsal.providers.gcp.input_schema import block_of
from rehearsal.providers.gcp.provider import RESOURCE_TYPES

SDKS = (
    "grpc",
    "pip._internal.cli.main",  # asked by the language host for what is installed
    "pip._internal.commands.list",
    "pulumi.automation",
    "pulumi_gcp.compute",
    "pulumi_gcp.container",
    "pulumi_gcp.organizations",
    "pulumi_gcp.projects",
    "pulumi_gcp.serviceaccount",
    "pulumi_gcp.storage",
    "pulumi_kubernetes.apiextensions",
    "pulumi_kubernetes.apps.v1",
    "pulumi_kubernetes.core.v1",
    "pulumi_kubernetes.helm.v3",
    "pulumi_kubernetes.networking.v1",
    "pulumi_kubernetes.policy.v1",
    "pulumi_kubernetes.rbac.v1",
    "pulumi_random",
    "pulumi_tls",
)
"""Pulumi's SDKs load these lazily, when a program first names them."""

ROOMS = ("daskfleet.planning", "manifests", "components", "rehearsal.providers")
"""The program and the stand-ins: whole packages of the project."""


def import_ahead() -> None:
    """Import all of it."""
    for name in SDKS:
        importlib.import_module(name)
    for room in ROOMS:
        package = importlib.import_module(room)
        for module in pkgutil.walk_packages(package.__path__, prefix=f"{room}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    for resource_type in RESOURCE_TYPES.values():
        block_of(resource_type.sdk_module, resource_type.sdk_class)
    gc.freeze()  # no fork's collector touches, and so copies, the pages of all this


def forget_other_checkouts(path: Sequence[str]) -> None:
    """Forget what is imported of the project unless a search along this path would find the same.

    The program may be another revision's, and has to import its own.
    """
    ours = {
        name: file
        for name, module in sys.modules.items()
        if "." not in name
        and (file := getattr(module, "__file__", None))
        and _is_of_a_checkout(Path(file))
    }
    if all(_origin(name, path) == file for name, file in ours.items()):
        return
    for name in [name for name in sys.modules if name.partition(".")[0] in ours]:
        del sys.modules[name]


def _origin(name: str, path: Sequence[str]) -> str | None:
    found = PathFinder.find_spec(name, list(path))
    return found.origin if found else None


def _is_of_a_checkout(file: Path) -> bool:
    return "site-packages" not in file.parts and not file.is_relative_to(sys.base_prefix)
