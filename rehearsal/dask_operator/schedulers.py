"""Where the operator's process meets the schedulers of its cluster."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


class Schedulers(Protocol):
    """The schedulers, as the operator's process is to find them; started and stopped with it."""

    async def start(self) -> Mapping[str, str]:
        """Return the variables by which the process finds them."""

    async def stop(self) -> None:
        """The process has ended."""


@dataclass(frozen=True, kw_only=True)
class RealSchedulers:
    """Schedulers that run in their pods, whoever looks for them."""

    found_by: Mapping[str, str]
    """Variables of a process that looks their names up as pods do."""

    async def start(self) -> Mapping[str, str]:
        """Return the variables; the schedulers come and go with their pods."""
        return self.found_by

    async def stop(self) -> None:
        """Nothing was started."""
