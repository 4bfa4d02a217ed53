"""What is wrong with a stack file, said so that the reader can put it right."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

NAMESPACE = "daskfleet"
"""Namespace of this program's keys in a stack file: the name of the Pulumi project."""

LONGEST_VALUE = 100
"""Characters of a value that an error repeats."""


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


class StackRefusedError(Exception):
    """A stack file cannot become a fleet; the text lists every reason."""

    def __init__(self, file: str, problems: Sequence[Problem], *, note: str = "") -> None:
        self.file = file
        self.problems = tuple(problems)
        count = f"{len(problems)} problem{'s' if len(problems) != 1 else ''}"
        parts = [f"{file}: {count}. Nothing was created or changed."]
        parts += [_render(file, number, problem) for number, problem in enumerate(problems, 1)]
        super().__init__("\n\n".join([*parts, note] if note else parts))


def shown(value: object) -> str:
    """A value as an error repeats it: one line, not too long."""
    text = (value or '""') if isinstance(value, str) else json.dumps(value, default=str)
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 3] + "..."


def _render(file: str, number: int, problem: Problem) -> str:
    where = f"{file}, {NAMESPACE}:{problem.key}" if problem.key else file
    indent = " " * (len(str(number)) + 2)
    return "\n".join(
        (
            f"{number}. {where}: {problem.value}" if problem.value else f"{number}. {where}",
            f"{indent}{problem.reason}",
            f"{indent}Allowed: {problem.allowed}",
            f"{indent}Next step: {problem.next_step}",
        )
    )
