"""Sizes of pods, and the commands in them."""

from typing import Annotated

from pydantic import Field

MOST_CORES = 2000
MOST_GIB = 65536
"""More than any machine of Google's has (cloud.google.com/compute/docs/machine-resource): beyond
these a value is a slip, and sums of such values are no numbers any more."""

Cores = Annotated[float, Field(gt=0, le=MOST_CORES)]
Gib = Annotated[float, Field(gt=0, le=MOST_GIB)]

Command = Annotated[tuple[str, ...], Field(min_length=1)]
