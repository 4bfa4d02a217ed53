"""From a document to settings, with everything that is wrong with it found at once.

A document with mistakes still yields settings *as far as understood*, so that the checks of
``planning`` can run on the rest and a reader sees all reasons in one go. Such settings are for
finding more problems only; nothing may be built from them.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from pydantic import ValidationError

from daskfleet.settings.problems import Problem, shown
from daskfleet.settings.renamed import with_new_names
from daskfleet.settings.repair import repaired
from daskfleet.settings.shape import Path, ShapeProblem, path_text, shape_problems
from daskfleet.settings.stack import Stack
from daskfleet.stack_text.mistakes import Mistake
from daskfleet.stack_text.values import value_mistakes

MOST_ROUNDS = 20
"""Validation is repeated because a model checks its keys against each other only once each of
them is well-formed; each round removes at least one mistake."""

Document: TypeAlias = Mapping[str, object]
"""What a stack file says below ``daskfleet:``."""


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A stack file after its shape was checked."""

    file: str
    """How errors name it."""

    stack: Stack | None
    """The settings as far as understood; ``None`` when too little was. Only free of invention when
    there are no problems."""

    problems: tuple[Problem, ...]
    notices: tuple[str, ...] = ()
    """What works today and should be written differently."""

    lines: Mapping[str, int] = field(default_factory=dict)
    """Where keys stand in the file, by their path as in ``Problem.key``."""

    files: Mapping[str, str] = field(default_factory=dict)
    """Top-level keys whose values stand in another file, and how errors name that one."""

    document: Document = field(default_factory=dict)
    """What was read, in today's names."""


def parse(
    document: Document,
    *,
    file: str,
    secret_keys: Collection[str] = (),
    lines: Mapping[str, int] | None = None,
) -> Draft:
    """Check the shape of a document.

    Args:
        document: the settings, with keys as in ``Stack``.
        file: how errors name the document.
        secret_keys: top-level keys whose values were encrypted; no error repeats such a value.
        lines: where keys stand in the file.
    """
    lines = lines or {}
    if mistakes := value_mistakes(document):
        told = [
            mistake_problem(each, is_secret=bool({*each.place[:1]} & {*secret_keys}))
            for each in mistakes
        ]
        return Draft(file=file, stack=None, problems=tuple(told), lines=lines)
    document, notices = with_new_names(document)
    secrets = [_secret_problem((key,)) for key in document if key in secret_keys]
    secrets += [_secret_problem(path) for path in _encrypted(document, ())]
    problems = [each.problem for each in secrets]
    rest = repaired(document, secrets)
    for _ in range(MOST_ROUNDS):
        if rest is None:
            break
        try:
            stack = Stack.model_validate(rest)
        except ValidationError as error:
            found = shape_problems(error, rest)
            known = {problem.key for problem in problems}
            problems += [each.problem for each in found if each.problem.key not in known]
            rest = repaired(rest, found)
        else:
            return Draft(
                file=file,
                stack=stack,
                problems=tuple(problems),
                notices=notices,
                lines=lines,
                document=document,
            )
    return Draft(file=file, stack=None, problems=tuple(problems), notices=notices, lines=lines)


def mistake_problem(mistake: Mistake, *, is_secret: bool = False) -> Problem:
    """A mistake of the text, or of a value, in the words of all others."""
    return Problem(
        key=path_text(mistake.place),
        value="[secret]" if is_secret else mistake.value and shown(mistake.value),
        reason=mistake.misread.reason,
        allowed=mistake.misread.allowed,
        next_step=mistake.misread.next_step,
        line=mistake.line,
    )


def _encrypted(value: object, path: Path) -> list[Path]:
    """Where a document read without the engine holds ``secure:`` values."""
    if isinstance(value, Mapping):
        if set(value) == {"secure"}:
            return [path]
        return [hit for key, each in value.items() for hit in _encrypted(each, (*path, key))]
    if isinstance(value, list):
        return [hit for index, each in enumerate(value) for hit in _encrypted(each, (*path, index))]
    return []


def _secret_problem(path: Path) -> ShapeProblem:
    problem = Problem(
        key=path_text(path),
        value="[secret]",
        reason="This value is encrypted, but no setting of a stack is a secret: each of them ends "
        "up in resources that many people can read.",
        allowed="a plain value",
        next_step="write the value without --secret, and rotate it if it really was a secret.",
    )
    return ShapeProblem(path=path, kind="value", problem=problem)
