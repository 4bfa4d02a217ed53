"""What is wrong with a stack file, said so that the reader can put it right."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from daskfleet.stack_text.project_file import NAMESPACE
from daskfleet.visible import visible

LONGEST_VALUE = 100
"""Characters of a value, or of a key, that an error repeats."""

LONGEST_SENTENCE = 2000
"""Characters of what is said of it, which may name teams."""

MOST_NAMED = 12
"""Names in one sentence."""

MOST_PRINTED = 50
"""Problems in one error; nobody corrects more at a time."""


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One thing that must change before anything is created."""

    key: str
    """Path below the namespace, for example ``teams[1].workers``; empty: the whole file."""

    value: str
    """What stands there, as ``shown`` writes it."""

    reason: str
    """What is wrong with it, as one or two sentences."""

    allowed: str
    """What is allowed."""

    next_step: str
    """What to do."""

    line: int | None = None
    """Where it stands in the file, where that is known from more than ``key``."""


class StackRefusedError(Exception):
    """A stack file cannot become a fleet; the text lists the reasons.

    Args:
        file: how the text names it.
        problems: every reason.
        lines: where keys stand in the file, by their path as in ``Problem.key``.
        files: top-level keys whose values stand in another file.
        note: a last sentence.
    """

    def __init__(
        self,
        file: str,
        problems: Sequence[Problem],
        *,
        lines: Mapping[str, int] | None = None,
        files: Mapping[str, str] | None = None,
        note: str = "",
    ) -> None:
        self.file = visible(file)
        self.problems = tuple(problems)
        count = f"{len(problems)} problem{'s' if len(problems) != 1 else ''}"
        first = f" The first {MOST_PRINTED} are below." if len(problems) > MOST_PRINTED else ""
        parts = [f"{self.file}: {count}. Nothing was created or changed.{first}"]
        parts += [
            _render(
                visible((files or {}).get(_top(problem.key), file)),
                number,
                problem,
                problem.line or line_of_key(lines or {}, problem.key),
            )
            for number, problem in enumerate(problems[:MOST_PRINTED], 1)
        ]
        super().__init__("\n\n".join([*parts, note] if note else parts))


def shown(value: object) -> str:
    """A value as an error repeats it: one line, not too long, and nothing that hides."""
    if isinstance(value, str):
        return _short(value or '""', LONGEST_VALUE)
    text = ""
    for part in json.JSONEncoder(default=str).iterencode(value):
        text += part[: LONGEST_VALUE + 1]
        if len(text) > LONGEST_VALUE:
            break
    return _short(text, LONGEST_VALUE)


def listed(names: Sequence[str]) -> str:
    """Names in one sentence; of many the first ones, and how many more there are."""
    if len(names) <= MOST_NAMED:
        return ", ".join(names)
    return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more"


def _short(text: str, longest: int) -> str:
    # White space may be most of a text, and escapes are longer than what they stand for.
    text = visible(" ".join(text[: 4 * longest].split()))
    return text if len(text) <= longest else text[: longest - 3] + "..."


def _top(key: str) -> str:
    return key.partition(".")[0].partition("[")[0]


def line_of_key(lines: Mapping[str, int], key: str) -> int | None:
    """The line of a key, or of the nearest that it is in."""
    while key and key not in lines:
        key = key[: max(key.rfind("."), key.rfind("["), 0)]
    return lines.get(key)


def _render(file: str, number: int, problem: Problem, line: int | None) -> str:
    where = f"{file}, line {line}" if line else file
    where += f", {NAMESPACE}:{_short(problem.key, LONGEST_VALUE)}" if problem.key else ""
    value = _short(problem.value, LONGEST_VALUE)
    indent = " " * (len(str(number)) + 2)
    return "\n".join(
        (
            f"{number}. {where}: {value}" if value else f"{number}. {where}",
            f"{indent}{_short(problem.reason, LONGEST_SENTENCE)}",
            f"{indent}Allowed: {_short(problem.allowed, LONGEST_SENTENCE)}",
            f"{indent}Next step: {_short(problem.next_step, LONGEST_SENTENCE)}",
        )
    )
