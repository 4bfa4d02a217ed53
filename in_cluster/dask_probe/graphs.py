"""Task graphs that carry objects, as a team's do: the scheduler must unpack them."""

import asyncio
import importlib
import inspect
import operator
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from distributed import Client, Future

from in_cluster.dask_probe.cluster import missing_modules, states_of
from in_cluster.dask_probe.raised import raised
from in_cluster.dask_probe.waiting import cancelled_after, ended

TIMEOUT_S = 6
LOOK_EVERY_S = 0.05
NOWHERE = "daskfleet-verify-nowhere"
"""A resource that no worker has."""

PLAIN = {"numbers": [1, 2, 3], "words": ("four", "five")}


@dataclass(frozen=True)
class Parcel:
    """What a graph carries."""

    carries: str
    content: Any
    module: str = ""
    """The team's module whose objects these are."""


class NoSuchModuleError(Exception):
    """The client itself cannot import a module that it was told to send objects of."""


def _numpy() -> Any:
    return importlib.import_module("numpy").arange(4)


def _pandas() -> Any:
    return importlib.import_module("pandas").DataFrame({"x": [1, 2]})


def _cupy() -> Any:
    return importlib.import_module("cupy").arange(4)


def _cudf() -> Any:
    return importlib.import_module("cudf").Series([1, 2])


LIBRARIES: dict[str, Callable[[], Any]] = {
    "numpy": _numpy,
    "pandas": _pandas,
    "cupy": _cupy,
    "cudf": _cudf,
}


def parcels(modules: Sequence[str]) -> Iterator[Parcel]:
    """Make objects of the libraries that this client has, and of the modules named.

    Raises:
        NoSuchModuleError: a module cannot be imported here.

    """
    yield Parcel("plain Python objects", PLAIN)
    for library, make in LIBRARIES.items():
        try:
            content = make()
        except Exception:  # noqa: BLE001, S112 - not here, or without its GPU: it cannot be sent
            continue
        yield Parcel(library, content)
    for name in modules:
        try:
            module = importlib.import_module(name)
        except ImportError as error:
            raise NoSuchModuleError(f"{name}: {error}") from error
        yield Parcel(f"module {name}", objects_of(module), module=name)


def objects_of(module: ModuleType) -> list[Any]:
    """Return the classes and functions that the module defines; the module where there are none.

    Pickle names such objects, and whoever unpacks them imports the module.
    """
    own = [
        member
        for _, member in inspect.getmembers(
            module, lambda each: inspect.isclass(each) or inspect.isfunction(each)
        )
        if member.__module__ == module.__name__
    ]
    return own or [module]


async def send(
    client: Client, contents: Sequence[Parcel], workers: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Send each parcel in a graph of its own, and tell how it was received.

    The scheduler alone unpacks it. A worker that cannot would lose its connection, and with it the
    team's data; so the tasks ask for a resource that nobody has, and workers are asked what they
    can import.
    """
    futures = [
        client.submit(operator.is_, each.content, None, resources={NOWHERE: 1}, pure=False)
        for each in contents
    ]
    lacking = await missing_modules(
        client, [each.module for each in contents if each.module], workers
    )
    async with cancelled_after(client, futures):
        outcomes = await asyncio.gather(*(_received(client, future) for future in futures))
    return [
        {
            "carries": parcel.carries,
            "module": parcel.module,
            "workers_lacking": lacking.get(parcel.module, []),
            **outcome,
        }
        for parcel, outcome in zip(contents, outcomes, strict=True)
    ]


async def _received(client: Client, future: "Future[Any]") -> dict[str, Any]:
    """Wait until the scheduler knows the task, which it does when it has unpacked the graph."""
    deadline = time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline:
        outcome = await ended(future, timeout_s=LOOK_EVERY_S)
        if outcome.error is not None:
            return {"raised": raised(outcome.error)}
        key = str(future.key)
        if key in await states_of(client, [key]):
            return {}
    return {"is_overdue": True}
