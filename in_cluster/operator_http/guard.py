"""Puts our questions in the place of the controller's, and takes Dask's protocol away from it."""

import importlib
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import NoReturn

import distributed.core

from in_cluster.operator_http.asking import (
    check_scheduler_idle,
    get_desired_workers,
    retire_workers,
)

CONTROLLER = "dask_kubernetes.operator.controller.controller"


def guard() -> None:
    """Load the operator's controller so that it cannot speak Dask's protocol.

    Raises:
        ImportError: The controller is not the one that this was written for, or is loaded already.
            The operator must not start then.

    """
    # Before the controller is loaded, which binds the first of them to a name of its own.
    for opening in ("rpc", "connect"):
        setattr(distributed.core, opening, _no_rpc)
    take_the_place(importlib.import_module(CONTROLLER))


def take_the_place(controller: ModuleType) -> None:
    """Put our functions into the controller's module, where they fit. Raises ImportError."""
    if getattr(controller, "rpc", _no_rpc) is not _no_rpc:
        raise ImportError(f"{controller.__name__} was loaded before it could be guarded")
    for function in (retire_workers, check_scheduler_idle, get_desired_workers):
        name = function.__name__
        its = getattr(controller, name, None)
        if its is None or _parameters(its) != _parameters(function):
            raise ImportError(
                f"{controller.__name__}.{name} is not as in dask-kubernetes 2026.3.0, so this "
                "operator might unpickle what schedulers answer. It does not start."
            )
        setattr(controller, name, function)


def _parameters(function: Callable[..., object]) -> list[str]:
    return [*inspect.signature(function).parameters]


def _no_rpc(*_: object, **__: object) -> NoReturn:
    raise RuntimeError(
        "the operator speaks no Dask protocol: what a scheduler answers would be unpickled here"
    )
