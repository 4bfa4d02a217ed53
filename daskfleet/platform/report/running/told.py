"""Texts that somebody elsewhere may have made up, as they may be shown."""

from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, JsonValue

from daskfleet.access.redaction.redact import redacted_text
from daskfleet.visible import in_short

Part = TypeVar("Part", bound=BaseModel)

LONGEST_TOLD = 1000
"""Characters of one text. kube-scheduler's longest are a few hundred."""


def told(text: object) -> object:
    """Shorten a text, and take out of it what hides or may open something; others stay."""
    return in_short(redacted_text(text), LONGEST_TOLD) if isinstance(text, str) else text


Told = Annotated[str, BeforeValidator(told)]
"""What somebody elsewhere may have made up: nothing hides in it, and no credential is in it."""


def all_told(part: Part) -> Part:
    """Clean every text of a document that another command made for its own readers."""
    return type(part).model_validate(_each_told(part.model_dump(mode="json")))


def _each_told(value: JsonValue) -> JsonValue:
    match value:
        case str():
            return str(told(value))
        case list():
            return [_each_told(each) for each in value]
        case dict():
            return {name: _each_told(each) for name, each in value.items()}
        case _:
            return value
