"""How a team's Dask cluster is reached from outside of the GKE cluster."""

from itertools import pairwise
from typing import Annotated, Self

from pydantic import Field, model_validator

from daskfleet.settings.base import Settings, conflict
from daskfleet.settings.cluster import Cidr, is_everybody

SourceRanges = Annotated[tuple[Cidr, ...], Field(min_length=1)]


class InternalLoadBalancer(Settings):
    """An address inside of the VPC. There is none on the internet, whatever the sources."""

    source_ranges: SourceRanges
    """Who may connect: ranges of the VPC, of networks that are peered with it, or behind a VPN.
    Whoever connects runs code as the team."""

    @model_validator(mode="after")
    def _names_each_source_once(self) -> Self:
        if any(is_everybody(each) for each in self.source_ranges):
            raise conflict(
                "source_ranges",
                "0.0.0.0/0 is everybody, and the scheduler runs any code that a client sends.",
                allowed="ranges of networks that you know",
                next_step="name those.",
            )
        # Ranges overlap only where one is in the other, which then comes right after it.
        in_order = sorted(self.source_ranges, key=lambda each: (each[0], each.prefixlen))
        for wide, narrow in pairwise(in_order):
            if wide.overlaps(narrow):
                raise conflict(
                    "source_ranges",
                    f"{narrow} is part of {wide}: one of the two must be a mistake.",
                    allowed="ranges that do not overlap",
                    next_step=f"remove {narrow}, or narrow {wide}.",
                )
        return self


class Access(Settings):
    """Ways to a team's scheduler besides a port-forward, which needs no setting."""

    internal_load_balancer: InternalLoadBalancer | None = None
    """An address for clients in the VPC. Left out: there is none."""
