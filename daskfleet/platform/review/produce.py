"""A review from a preview and the stack file that it is about."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.fleet import plan_draft
from daskfleet.platform.review.assess import assess
from daskfleet.platform.review.errors import ReviewError
from daskfleet.platform.review.model import Preview, Rehearsed, Review
from daskfleet.platform.review.presentable import message
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.stack_file import read_stack_file
from daskfleet.stack_text.project_file import NAMESPACE

LINE = re.compile(r"(?m)^([0-9]+\. ), line [0-9]+(?=,|:|$)")
"""Where a problem stands, which the program cannot tell: Pulumi gives it values, and no file."""

COMPARED = 1000
"""Characters of two refusals; longer ones are cut, and not at the same place."""


def produce(
    preview: Preview,
    *,
    stack_file: Path,
    commit: str,
    allowed: frozenset[ChangeClass],
    rehearsed: Rehearsed | None = None,
) -> Review:
    """Judge a preview against the settings after the change.

    A stack file that is refused is an error of the review, since the same file refuses the `up`.
    """
    try:
        plan = plan_draft(read_stack_file(stack_file))
    except StackRefusedError as refusal:
        plan = None
        preview = replace(preview, errors=_with(message(str(refusal)), preview.errors))
    return assess(
        preview,
        plan,
        commit=commit,
        made_at=datetime.now(tz=UTC).replace(microsecond=0),
        allowed=allowed,
        rehearsed=rehearsed,
    )


def of_stack(preview: Preview, stack: str) -> Preview:
    """The preview with its project and stack, which one that failed early does not tell.

    Raises:
        ReviewError: it is another stack's.
    """
    # organization/project/stack, as backends with several projects name it
    name = stack.rpartition("/")[2]
    if preview.stack not in {"", name}:
        raise ReviewError(
            f"The preview is of stack {preview.stack}, and {name} was asked for: give the events "
            "of the stack that is reviewed."
        )
    return replace(preview, project=preview.project or NAMESPACE, stack=name)


def stack_file_of(stack: str, project_dir: Path) -> Path:
    """Where a stack's settings are, as Pulumi.yaml says.

    Raises:
        ReviewError: there is no such file.
    """
    file = project_dir / "stacks" / f"Pulumi.{stack}.yaml"
    if not file.exists():
        raise ReviewError(
            f"{file} does not exist, so what the fleet will be is unknown. Name the settings "
            "of the reviewed stack with --stack-file."
        )
    return file


def _with(refusal: str, errors: tuple[str, ...]) -> tuple[str, ...]:
    """The refusal first, unless the program has said the same of the same file."""
    told = [each for each in errors if _problems(each) != _problems(refusal)]
    return (refusal, *told)


def _problems(text: str) -> str:
    """What is wrong, without the file, which may be another one for the program, and its lines."""
    file = text.partition(": ")[0]
    return LINE.sub(r"\1", text.replace(file, ""))[:COMPARED]
