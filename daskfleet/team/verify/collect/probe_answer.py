"""Pure: what a probe has written, which may be anybody's words."""

import re
from typing import Annotated

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.types import StringConstraints

from daskfleet.team.verify.facts import DaskFacts, Told

MOST_BYTES = 4 * 1024 * 1024
"""A worker takes about 1 KB of it."""

MOST_VALUES = MOST_BYTES // 16
"""A value with its key takes more. Of each that is wrong pydantic keeps a kilobyte."""

PROGRESS = re.compile(r"progress: ([a-z ]{1,60})")
"""A line beside the answer that people may see."""


class UnreadableError(Exception):
    """It is not what a probe writes."""


class ProbeAnswer(BaseModel):
    """One of the two."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    facts: DaskFacts | None = None
    refused: Annotated[Told, StringConstraints(min_length=1)] | None = None


def read_answer(document: bytes) -> ProbeAnswer:
    """Read a document strictly.

    Raises:
        UnreadableError: it is another one.

    """
    if document.count(b",") > MOST_VALUES:
        raise UnreadableError(f"it has more than {MOST_VALUES:,} values")
    try:
        return ProbeAnswer.model_validate_json(document, strict=True)
    except ValidationError as error:
        # Where it is wrong is for the one who wrote it to choose, so it is not repeated.
        said = error.errors(include_input=False, include_url=False)[0]["msg"]
        raise UnreadableError(f"it is not what the probe writes ({said})") from error


def unreadable(why: str, *, client_python: str) -> DaskFacts:
    """Return the facts where the answer is of no use."""
    return DaskFacts.unasked(
        client_python=client_python, why=f"the scheduler's answer could not be read: {why}"
    )
