"""Parts of the tests for workers and machines that work side by side, as even as was measured."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

UNKNOWN_S = 10.0
"""For a file that was not there when durations were recorded."""

FLEET_OF_THEIR_OWN = ("tests/rehearsal/real_dask/", "tests/rehearsal/showcase/")
"""Rooms in which all files share one fleet, which nobody wants to bring up twice."""


def group_of(test: str) -> str:
    """Name what a test (its id, or its file) is not parted from: its file, or a fleet's files."""
    file = test.partition("::")[0]
    return next((room for room in FLEET_OF_THEIR_OWN if file.startswith(room)), file)


def seconds_of_groups(files: Mapping[str, float], present: Iterable[str]) -> dict[str, float]:
    """Sum up what the files that are there took, by group."""
    summed: dict[str, float] = defaultdict(float)
    for file in present:
        summed[group_of(file)] += files.get(file, UNKNOWN_S)
    return dict(summed)


@dataclass(frozen=True)
class Shard:
    """The nth of so many parts, from 1 on."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``2/3``. Raises ValueError when there is no such part."""
        number, _, of = text.partition("/")
        if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            raise ValueError(f"{text!r} is no part of a whole; write 1/3 for the first of three.")
        return cls(int(number), int(of))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def longest_first(groups: Mapping[str, float]) -> list[str]:
    """Order groups so that whoever takes the next free one ends with the others."""
    return sorted(groups, key=lambda group: (-groups[group], group))


def groups_of(shard: Shard, groups: Mapping[str, float]) -> set[str]:
    """Give the shard's groups: each goes to the shard that has the least to do so far."""
    load = [0.0] * shard.of
    taken: list[set[str]] = [set() for _ in load]
    for group in longest_first(groups):
        lightest = load.index(min(load))
        load[lightest] += groups[group]
        taken[lightest].add(group)
    return taken[shard.number - 1]
