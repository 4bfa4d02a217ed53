"""Unit tests: each stack file that once ended the program is planned or refused in a sentence.

They were found among thousands that were broken at random, as test_mutated_files.py does now; the
enormous ones are there.
"""

import time
from pathlib import Path

import pytest

from daskfleet.planning.fleet import plan_draft
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.stack_file import read_stack_file

MOST_CPU_S = 2
LONGEST_LINE = 4000

GOOD = (
    "{top}\nconfig:\n  daskfleet:project: example-project\n{config}\n  daskfleet:teams:\n"
    "    - name: alpha\n      workers: 1\n{team}\n"
)
INDENT = {"top": "", "config": "  ", "team": "      "}
NO_TEXT = "A key here is not text"

KEYS = {
    "on": ("on: 1", {"top": "", "config": "daskfleet:on: 1", "team": "teams[0].on: 1"}),
    "a number": ("5: 1", dict.fromkeys(INDENT, NO_TEXT)),
    "a list": ("? [a, b]\n{indent}: 1", dict.fromkeys(INDENT, NO_TEXT)),
    "bytes": ("!!binary aGk=: 1", dict.fromkeys(INDENT, NO_TEXT)),
    "nothing": ('"": 1', {"top": "", "config": 'daskfleet:"": 1', "team": 'teams[0]."": 1'}),
}
"""By its name: a key and what is said of it; at the top Pulumi may have keys of any name."""


def broken(place: str, text: str) -> str:
    """A file in order but for this, at the top, below ``config`` or in a team."""
    indent = INDENT[place]
    return GOOD.format(**(dict.fromkeys(INDENT, "") | {place: indent + text.format(indent=indent)}))


def refusal_of(text: str, directory: Path) -> str:
    """What is said of a file that is refused, within the time; empty when it is planned."""
    file = directory / "Pulumi.known.yaml"
    file.write_text(text)
    began_s = time.process_time()
    try:
        plan_draft(read_stack_file(file))
        said = ""
    except StackRefusedError as refusal:
        said = str(refusal)
    assert time.process_time() - began_s < MOST_CPU_S
    assert max(map(len, said.split("\n"))) < LONGEST_LINE
    assert all(line.isprintable() for line in said.split("\n"))
    return said


@pytest.mark.parametrize("place", INDENT)
@pytest.mark.parametrize("key", KEYS)
def test_a_key_that_is_no_text_is_refused_by_its_place(
    key: str, place: str, tmp_path: Path
) -> None:
    text, said = KEYS[key]

    assert said[place] in refusal_of(broken(place, text), tmp_path)


def with_value(value: str) -> str:
    return broken("team", f"image: {value.replace('{', '{{').replace('}', '}}')}")


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


LAUGHS = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n"
    for before, name in zip("abcdef", "bcdefg", strict=True)
)

VALUES = {
    "a day that there is not": (with_value("2026-02-30"), "no such date or time"),
    "a moment after the last": (with_value("9999-12-31T23:00:00-10:00"), "no such date or time"),
    "an alias of itself": (with_value("&a {x: *a}"), "never end"),
    "900 levels": (with_value(deep(900)), "deep"),
    "900 levels that are not closed": (with_value("[" * 900), "deep"),
    "30,000 brackets": (with_value("[" * 30_000), "deep"),
    "5,000 digits": (with_value("9" * 5000), "floats"),
    "4,000 digits": (broken("team", f"ready_timeout_s: {'9' * 4000}"), "ready_timeout_s: 999"),
    "no number": (with_value("!!int x"), "The tag !!int"),
    "an empty number": (with_value("!!float ''"), "The tag !!float"),
    "no truth": (with_value("!!bool maybe"), "The tag !!bool"),
    "no moment": (with_value("!!timestamp x"), "The tag !!timestamp"),
    "laughs of seven levels": (LAUGHS + broken("team", ""), "more than"),
    "a key of a million characters": (broken("team", f"? {'k' * 1_000_000}\n      : 1"), "kkk"),
    "a terminal's escapes": (with_value('"\\e[31mred"'), "U+001B"),
    "text that turns round": (with_value("\u202eabc"), "U+202E"),
}


@pytest.mark.parametrize("case", VALUES)
def test_a_value_that_nobody_can_mean_is_refused(case: str, tmp_path: Path) -> None:
    text, reason = VALUES[case]
    said = refusal_of(text, tmp_path)

    assert reason in said
    assert "Next step: " in said
