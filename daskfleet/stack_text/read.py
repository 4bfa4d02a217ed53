"""Read a stack file, or a value of Pulumi's configuration, within bounds."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import yaml

from daskfleet.stack_text.compose import Composer
from daskfleet.stack_text.limits import LONGEST_NUMBER, MOST_BYTES, MOST_DEPTH
from daskfleet.stack_text.mistakes import Misread, Mistake, Place, TooMuchError
from daskfleet.stack_text.values import value_mistakes
from daskfleet.stack_text.wording import TOO_DEEP, TOO_LARGE

BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)
"""Brackets of JSON, and texts, in which brackets mean nothing."""

COMPARE = "compare with stacks/Pulumi.dev.yaml, or check the path."


@dataclass(frozen=True, kw_only=True)
class StackText:
    """What a text says. With mistakes there is no content."""

    content: object
    lines: Mapping[Place, int] = field(default_factory=dict)
    """Where each key and each entry of a list stands; those in an alias are where its anchor is."""

    mistakes: tuple[Mistake, ...] = ()


def read_file(file: Path) -> StackText:
    """What a stack file says."""
    try:
        with file.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        return _unread(f"The file cannot be read: {error}.", "a text file in UTF-8")
    return read_text(data)


def read_text(data: bytes) -> StackText:
    """What the bytes of a stack file say."""
    if len(data) > MOST_BYTES:
        return _unread(
            f"The file is larger than {MOST_BYTES // 1024} kiB.", "a file that a person can read"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return _unread(f"The file cannot be read: {error}.", "a text file in UTF-8", line=line)
    composer = Composer(yaml.parse(text, Loader=yaml.CSafeLoader))
    try:
        content = composer.document()
    except TooMuchError as error:
        return StackText(content=None, mistakes=(*composer.mistakes, error.mistake))
    except yaml.YAMLError as error:
        return _not_yaml(error, composer.mistakes)
    lines = composer.lines
    mistakes = composer.mistakes + [
        replace(each, line=line_of(lines, each.place)) for each in value_mistakes(content)
    ]
    return StackText(content=None if mistakes else content, lines=lines, mistakes=tuple(mistakes))


def read_json(text: str) -> object:
    """A value that Pulumi hands over as JSON.

    Raises:
        TooMuchError: it is deeper, or has a longer number, than any setting.
        ValueError: it is not JSON.
    """
    depth = 0
    for found in BRACKETS.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth > MOST_DEPTH:
            raise TooMuchError(Mistake(misread=TOO_DEEP))
    return json.loads(text, parse_int=_whole_number)


def line_of(lines: Mapping[Place, int], place: Place) -> int | None:
    """The line of a place, or of the nearest that it is in."""
    for end in range(len(place), 0, -1):
        if place[:end] in lines:
            return lines[place[:end]]
    return None


def _whole_number(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise TooMuchError(Mistake(misread=TOO_LARGE))
    return int(digits)


def _unread(reason: str, allowed: str, *, line: int | None = None) -> StackText:
    mistake = Mistake(line=line, misread=Misread(reason=reason, allowed=allowed, next_step=COMPARE))
    return StackText(content=None, mistakes=(mistake,))


def _not_yaml(error: yaml.YAMLError, before: list[Mistake]) -> StackText:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    words = " ".join(str(error).split())
    mistake = Mistake(
        line=mark.line + 1 if mark else None,
        misread=Misread(
            reason=f"The file is not YAML: {words}.",
            allowed="YAML, each key once",
            next_step=COMPARE,
        ),
    )
    return StackText(content=None, mistakes=(*before, mistake))
