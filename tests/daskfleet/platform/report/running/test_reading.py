"""Unit: a source that fails is a line, and one that takes long is kept."""

import asyncio

from daskfleet.access.errors import AccessError
from daskfleet.platform.report.running.model import SourceName
from daskfleet.platform.report.running.reading import Kept, Reading, read
from tests.daskfleet.platform.report.running.fleets import TOKEN


async def refused(error: Exception) -> int:
    raise error


def test_what_is_read_is_there_with_what_it_lacks() -> None:
    async def look() -> int:
        return 7

    reading = asyncio.run(read(SourceName.NODES, look(), lacks=lambda value: (f"{value} nodes",)))
    assert reading.value == 7
    assert reading.source.lacks == ("7 nodes",)
    assert reading.source.is_read


def test_our_own_words_are_told_as_they_are_and_others_by_their_kind() -> None:
    ours = asyncio.run(read(SourceName.STATE, refused(AccessError("Log in."))))
    others = asyncio.run(read(SourceName.STATE, refused(KeyError("items"))))
    assert (ours.value, ours.source.why_not) == (None, "Log in.")
    assert others.source.why_not == "KeyError: 'items'"


def test_a_reason_has_no_credential_and_is_no_essay() -> None:
    long = asyncio.run(read(SourceName.STATE, refused(ValueError(f"Bearer {TOKEN} " + "x" * 9999))))
    assert TOKEN not in long.source.why_not
    assert len(long.source.why_not) <= 1000


def test_what_takes_long_is_read_again_only_when_it_is_old() -> None:
    looks = 0

    async def look() -> Reading[int]:
        nonlocal looks
        looks += 1
        return await read(SourceName.DRIFT, number())

    async def number() -> int:
        return looks

    async def twice(kept: Kept[int]) -> list[int | None]:
        return [(await kept.reading(look)).value, (await kept.reading(look)).value]

    assert asyncio.run(twice(Kept(for_s=3600))) == [1, 1]
    assert asyncio.run(twice(Kept(for_s=-1))) == [2, 3]
