"""One question to one of Google's REST APIs, and what it answers, in the API's own shape."""

from collections.abc import Mapping
from typing import Literal, TypeVar

import httpx
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from daskfleet.google_cloud.bearer import UNSENDABLE, Access

TIMEOUT_S = 60

AnswerT = TypeVar("AnswerT", bound=BaseModel)


class AnswerError(Exception):
    """There is no answer, or it is not whole, or not what the API documents."""


class Shape(BaseModel):
    """What all parts of an answer are: unknown fields are Google's to add."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True)


class ErrorStatus(BaseModel):
    """Google's words about a refusal."""

    message: str = ""
    status: str = ""


class ErrorAnswer(BaseModel):
    """How all of Google's APIs refuse."""

    error: ErrorStatus = Field(default=ErrorStatus())


def ask(
    http: httpx.Client,
    method: Literal["GET", "POST"],
    url: str,
    shape: type[AnswerT],
    *,
    access: Access,
    parameters: Mapping[str, str] | None = None,
    body: Mapping[str, object] | None = None,
) -> AnswerT:
    """Ask, with the user's token. Blocks for up to a minute.

    Args:
        http: the client.
        method: of HTTP.
        url: the whole of it but for the parameters.
        shape: what the answer must be.
        access: whose token.
        parameters: of the URL.
        body: sent as JSON.

    Raises:
        AnswerError: there is no answer, or it is a refusal or of another shape.
    """
    host = httpx.URL(url).host
    try:
        answer = http.request(
            method, url, params=parameters, json=body, headers=access.headers, timeout=TIMEOUT_S
        )
    except (httpx.LocalProtocolError, UnicodeEncodeError):
        raise AnswerError(UNSENDABLE) from None
    except httpx.HTTPError as error:
        msg = f"{type(error).__name__} at {host}: {error}"
        raise AnswerError(msg) from error
    try:
        if answer.is_success:
            return shape.model_validate_json(answer.content)
        said = ErrorAnswer.model_validate_json(answer.content).error.message
    except ValidationError as error:
        if answer.is_success:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            msg = f"an answer is not what the API documents: {where}: {first['msg']}"
            raise AnswerError(msg) from error
        said = ""
    msg = f"{host} answered {answer.status_code}: {said or answer.reason_phrase}"
    raise AnswerError(msg)
