"""Unit tests: what is read, and what is a mistake with its place and line."""

from itertools import pairwise

import pytest

from daskfleet.stack_text.limits import MOST_BYTES, MOST_DEPTH, MOST_NODES
from daskfleet.stack_text.mistakes import Place, TooMuchError
from daskfleet.stack_text.read import line_of, read_json, read_text


def laughs(levels: int) -> str:
    """A text in which each line holds ten times the line before."""
    names = "abcdefghijklmnop"
    lines = [f"a: &a [{', '.join('1' * 10)}]"]
    for before, name in pairwise(names[:levels]):
        lines.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]")
    return "\n".join(lines)


def test_values_come_with_the_lines_that_they_stand_in() -> None:
    read = read_text(b"a: 1\nb:\n  - x\n  - {c: yes}\n")
    assert read.content == {"a": 1, "b": ["x", {"c": "yes"}]}
    assert read.lines["b", 1, "c"] == 4
    assert line_of(read.lines, ("b", 1, "gone", 3)) == 4
    assert line_of(read.lines, ("nowhere",)) is None


def test_aliases_and_merges_are_what_they_stand_for() -> None:
    read = read_text(b"a: &a {x: 1, y: 2}\nb: *a\nc: {<<: *a, y: 3}\nd: {<<: [{z: 0}, *a], w: 9}\n")
    assert read.mistakes == ()
    assert read.content == {
        "a": {"x": 1, "y": 2},
        "b": {"x": 1, "y": 2},
        "c": {"x": 1, "y": 3},
        "d": {"x": 1, "y": 2, "z": 0, "w": 9},
    }


def test_tags_that_say_what_a_value_is_anyway_are_allowed() -> None:
    read = read_text(b"a: !!str 5\nb: !!int 5\nc: !!map {d: !!seq [1]}\n!!str e: ! 7\n")
    assert read.content == {"a": "5", "b": 5, "c": {"d": [1]}, "e": "7"}


@pytest.mark.parametrize("text", [b"", b"# nothing\n", b"\xef\xbb\xbf", b"---\n"])
def test_nothing_is_nothing(text: bytes) -> None:
    assert read_text(text).content is None
    assert read_text(text).mistakes == ()


MISTAKES: dict[str, tuple[str, int | None, Place, str]] = {
    "a key that is a number": ("a: 1\n5: 1", 2, (), "A key here is not text"),
    "a key that is a list": ("a: 1\n? [a, b]\n: 1", 2, (), "A key here is not text"),
    "a key that is nothing": ("a:\n  ~: 1", 2, ("a",), "A key here is not text"),
    "a key that is bytes": ("!!binary aGk=: 1", 1, (), "A key here is not text"),
    "a key of 1,000 characters": ("k" * 1000 + ": 1", 1, ("k" * 1000,), "1000 characters"),
    "a key twice": ("a: {b: 1,\n  b: 2}", 2, ("a", "b"), "occurs twice, first in line 1"),
    "a date that does not exist": ("a: [1, 2026-02-30]", 1, ("a", 1), "no such date or time"),
    "5,000 digits": ("a: " + "9" * 5000, 1, ("a",), "floats"),
    "a tag that does not fit": ("a: !!int x", 1, ("a",), "The tag !!int"),
    "an empty number": ("a: !!float ''", 1, ("a",), "The tag !!float"),
    "a truth that is none": ("a: !!bool maybe", 1, ("a",), "The tag !!bool"),
    "a moment that is none": ("a: !!timestamp x", 1, ("a",), "The tag !!timestamp"),
    "a tag of one's own": ("a: !mine {b: 1}", 1, ("a",), "The tag !mine"),
    "code": ("a: !!python/object/apply:os.system [id]", 1, ("a",), "The tag !!python/object"),
    "an alias of nothing": ("a: *b", 1, ("a",), "No anchor"),
    "an alias of itself": ("b: &a {x: *a}", 1, ("b", "x"), "never end"),
    "a merge of a word": ("a: {<<: b}", 1, ("a", "<<"), "Only a mapping"),
    "a second document": ("a: 1\n---\nb: 1", 2, (), "second document"),
    "a terminal's escapes": ('a: "\\e[31mred"', 1, ("a",), "U+001B"),
    "text that turns round": ("a: \u202eabc", 1, ("a",), "U+202E"),
    "30,000 brackets": ("a: " + "[" * 30_000, 1, ("a", *[0] * (MOST_DEPTH - 1)), "deep"),
    "1,000 levels": ("\n".join(" " * at + "a:" for at in range(1000)), 33, ("a",) * 32, "deep"),
    "laughs": (laughs(9), 5, ("e", 3), f"more than {MOST_NODES}"),
    "many words": ("- a\n" * (MOST_NODES + 1), MOST_NODES, (MOST_NODES - 1,), "more than"),
    "no YAML": ("a: 1\nb: [", 3, (), "not YAML"),
    "a control character": ("\x00", None, (), "not YAML"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_told_with_its_place(case: str) -> None:
    text, line, place, reason = MISTAKES[case]
    read = read_text(text.encode())
    assert read.content is None
    assert len(read.mistakes) == 1
    (mistake,) = read.mistakes
    assert reason in mistake.misread.reason
    assert (mistake.line, mistake.place) == (line, place)
    assert mistake.misread.allowed
    assert mistake.misread.next_step


def test_all_mistakes_are_told_at_once() -> None:
    read = read_text(b"5: 1\na: !!int x\nb: 2026-02-30\nc: *c\n")
    assert [mistake.line for mistake in read.mistakes] == [1, 2, 3, 4]


def test_a_merge_bomb_is_counted() -> None:
    names = "abcdefghij"
    lines = ["a: &a {" + ", ".join(f"k{at}: 1" for at in range(100)) + "}"]
    for before, name in pairwise(names):
        lines.append(f"{name}: &{name} {{<<: [{', '.join([f'*{before}'] * 10)}]}}")
    (mistake,) = read_text("\n".join(lines).encode()).mistakes
    assert "more than" in mistake.misread.reason


def test_aliases_do_not_get_deeper_than_what_is_written_out() -> None:
    deep = "[" * 20 + "]" * 20
    (mistake,) = read_text(f"a: &a {deep}\nb: {'[' * 13}*a{']' * 13}".encode()).mistakes
    assert "deep" in mistake.misread.reason


def test_a_file_that_no_person_wrote_is_not_read() -> None:
    (mistake,) = read_text(b"#" * (MOST_BYTES + 1)).mistakes
    assert "larger than 1024 kiB" in mistake.misread.reason


def test_text_that_is_not_utf_8_is_told_with_its_line() -> None:
    (mistake,) = read_text(b"a: 1\nb: \xff\n").mistakes
    assert mistake.line == 2
    assert "cannot be read" in mistake.misread.reason


def test_json_of_pulumi_has_the_same_bounds() -> None:
    assert read_json('{"a": ["[[[", 1.5, "\\"["]}') == {"a": ["[[[", 1.5, '"[']}
    with pytest.raises(TooMuchError):
        read_json("[" * 100_000)
    with pytest.raises(TooMuchError):
        read_json("[" + "9" * 5000 + "]")
