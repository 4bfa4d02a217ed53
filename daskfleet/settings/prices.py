"""Prices that the stack file gives, where the catalog has none or another one is paid."""

from typing import Annotated

from pydantic import Field

from daskfleet.settings.base import Settings
from daskfleet.settings.names import PriceSource


class GivenPrice(Settings):
    """What is paid for a machine type or an attached GPU, instead of the catalog's list price.

    Of a machine type it is one machine with the GPUs that it always has, of a GPU one of those that
    are attached. The boot disk is no part of it. Committed use takes nothing off it.
    """

    usd_per_hour: Annotated[float, Field(gt=0)]
    """US dollars per hour for one of them, by contract, quote or reservation."""

    usd_per_hour_spot: Annotated[float, Field(gt=0)] | None = None
    """The same for a spot node. Left out: spot nodes are counted with ``usd_per_hour``, too."""

    source: PriceSource
    """Where the price comes from, for example ``quote 123 of 2026-11-02``."""
