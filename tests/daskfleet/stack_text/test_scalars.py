"""Unit tests: an unquoted word is what it is for Pulumi.

Each value is what ``pulumi config --json`` (3.256.0) printed of a stack file with that word.
"""

from typing import Any

import pytest

from daskfleet.stack_text.mistakes import Misread
from daskfleet.stack_text.scalars import Scalar, resolve

AS_PULUMI_READS_IT: dict[str, Any] = {
    "yes": "yes",
    "no": "no",
    "on": "on",
    "true": True,
    "FALSE": False,
    "~": None,
    "": None,
    "5": 5,
    "+5": 5,
    "-3": -3,
    "26.10": 26.1,
    "1e3": 1000,
    ".5": 0.5,
    "1.": 1,
    "1:30": "1:30",
    "00:00": "00:00",
    "=": "=",
    "10.0.0.0/8": "10.0.0.0/8",
    "580.126.20": "580.126.20",
    "-": "-",
    ".": ".",
    "2026-01-03": "2026-01-03 00:00:00 +0000 UTC",
    "2026-1-3 4:5:6": "2026-01-03 04:05:06 +0000 UTC",
    "2026-01-03t04:00:00+02:00": "2026-01-03 04:00:00 +0200 +0200",
    "2026-01-03T02:00:00Z": "2026-01-03 02:00:00 +0000 UTC",
    "2026-01-03T02:00:00": "2026-01-03T02:00:00",
    "2026-01-03 02:00:00 +0000 UTC": "2026-01-03 02:00:00 +0000 UTC",
}


@pytest.mark.parametrize("word", AS_PULUMI_READS_IT)
def test_a_word_is_what_pulumi_takes_it_for(word: str) -> None:
    found = resolve(word)
    assert isinstance(found, Scalar)
    assert found.value == AS_PULUMI_READS_IT[word]
    assert type(found.value) is type(AS_PULUMI_READS_IT[word]) or found.kind == "float"


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("017", "different numbers"),
        ("0x1F", "different numbers"),
        ("0o17", "different numbers"),
        ("1_000", "different numbers"),
        ("08", "different numbers"),
        (".inf", "different numbers"),
        (".NaN", "different numbers"),
        ("9" * 5000, "floats"),
        ("9007199254740993", "floats"),
        ("1e400", "floats"),
        ("0." + "1" * 100, "floats"),
        ("2026-02-30", "no such date or time"),
        ("2026-13-01T00:00:00Z", "no such date or time"),
        ("9999-12-31T23:00:00-10:00", "no such date or time"),
        ("0000-01-01", "no such date or time"),
        ("2026-01-03T02:00:00+99:00", "no such date or time"),
    ],
)
def test_a_word_that_nobody_can_mean_is_a_mistake(word: str, reason: str) -> None:
    found = resolve(word)
    assert isinstance(found, Misread)
    assert reason in found.reason
