"""Task graphs that carry objects, as a team's do: the scheduler must unpack them."""

import importlib
import inspect
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from distributed import Client

from verify.probe.cluster import states_of
from verify.probe.raised import raised
from verify.probe.waiting import AHEAD_OF_OTHERS, all_ended, cancelled_after

TIMEOUT_S = 6
PLAIN = {"numbers": [1, 2, 3], "words": ("four", "five")}


@dataclass(frozen=True)
class Parcel:
    """What a graph carries."""

    carries: str
    content: Any
    is_module: bool = False


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
        yield Parcel(f"module {name}", objects_of(module), is_module=True)


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


async def send(client: Client, contents: Sequence[Parcel]) -> list[dict[str, Any]]:
    """Send each parcel in a graph of its own, and tell how it was received."""
    futures = [
        client.submit(operator.is_, each.content, None, pure=False, priority=AHEAD_OF_OTHERS)
        for each in contents
    ]
    async with cancelled_after(client, futures):
        outcomes = await all_ended(futures, timeout_s=TIMEOUT_S)
        overdue = [
            f.key for f, outcome in zip(futures, outcomes, strict=True) if outcome.is_overdue
        ]
        # Where no worker is free the scheduler has unpacked the graph all the same.
        known = await states_of(client, overdue) if overdue else {}
    return [
        {
            "carries": parcel.carries,
            "is_module": parcel.is_module,
            "raised": raised(outcome.error) if outcome.error else [],
            "is_overdue": outcome.is_overdue and future.key not in known,
        }
        for parcel, future, outcome in zip(contents, futures, outcomes, strict=True)
    ]
