"""What becomes of nodes whose GPU is sick."""

from typing import Annotated

from pydantic import Field

from daskfleet.settings.base import Settings


class GpuHealth(Settings):
    """Take workers off nodes whose GPU reports a critical error, and keep pods from those nodes."""

    max_drained_nodes: Annotated[int, Field(ge=1, le=100)] = 2
    """Nodes of worker pools that may be kept from pods at the same time. The next one stays as it
    is, and its team and the platform are told, until one of these is repaired."""
