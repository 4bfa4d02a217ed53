"""The review as versioned JSON: what one job writes, and another renders or publishes."""

from dataclasses import dataclass
from typing import Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError

from daskfleet.platform.review.model import Review

VERSION: Literal[1] = 1
"""Raised with every change after which an older reader would go wrong."""

SHOWN_PROBLEMS = 3


class ReviewDocumentError(Exception):
    """The text is no review that this version reads."""


@dataclass(frozen=True, kw_only=True)
class _Document:
    __pydantic_config__ = ConfigDict(extra="forbid")

    version: Literal[1]
    review: Review


_ADAPTER = TypeAdapter(_Document)


def to_json(review: Review) -> str:
    """The document, indented for people who look at an artifact."""
    document = _Document(version=VERSION, review=review)
    return _ADAPTER.dump_json(document, indent=2).decode("utf-8") + "\n"


def from_json(text: str | bytes) -> Review:
    """The review of a document.

    Raises:
        ReviewDocumentError: the text is none.
    """
    try:
        return _ADAPTER.validate_json(text).review
    except ValidationError as error:
        problems = [
            f"{'.'.join(map(str, each['loc'])) or 'document'}: {each['msg']}"
            for each in error.errors(include_input=False, include_url=False)[:SHOWN_PROBLEMS]
        ]
        raise ReviewDocumentError(
            f"This is no review of version {VERSION}: {'; '.join(problems)}. Make it again with "
            f"`daskfleet review --format json` of this checkout."
        ) from None
