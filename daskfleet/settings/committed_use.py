"""Discounts that are bought for years ahead."""

from typing import Annotated, Literal

from pydantic import Field

from daskfleet.settings.base import Settings


class CommittedUse(Settings):
    """Resource-based committed use that was bought for the fleet; the program buys none.

    It is paid whether it is used or not, so it is counted only against nodes that are always there:
    the fewest nodes of each pool that is not spot. Machines and their GPUs have the discount,
    disks and services never.
    """

    percent: Annotated[float, Field(gt=0, le=100)]
    """How much of those nodes is covered, in percent."""

    years: Literal[1, 3]
    """For how long it was bought: the longer, the cheaper."""
