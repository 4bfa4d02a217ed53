"""Google's REST APIs, at the endpoints that the Google provider would use too."""

from collections.abc import Mapping
from typing import TypeVar

import httpx
from pydantic import ValidationError

from daskfleet.google_cloud.bearer import UNSENDABLE, Access
from daskfleet.google_cloud.endpoints import ENDPOINTS, Api
from daskfleet.platform.doctor.answers import Answer, ErrorAnswer, ErrorBody
from daskfleet.platform.doctor.errors import NotLookedAtError, NotThereError

TIMEOUT_S = 30
"""The slowest of these answers, a region with its quotas, takes a second or two."""

AnswerT = TypeVar("AnswerT", bound=Answer)


class ApiDisabledError(NotLookedAtError):
    """The project has not enabled the API that was asked."""

    def __init__(self, service: str) -> None:
        super().__init__(f"{service} is not enabled in the project")
        self.service = service


class GoogleApi:
    """Asks, with a token, and reads the answers."""

    def __init__(
        self, http: httpx.AsyncClient, *, environment: Mapping[str, str], access: Access
    ) -> None:
        """Build it over a client."""
        self._http = http
        self._base_urls = {
            api: environment.get(variable) or default
            for api, (variable, default) in ENDPOINTS.items()
        }
        self._headers = access.headers

    async def get(
        self,
        api: Api,
        path: str,
        answer: type[AnswerT],
        parameters: Mapping[str, str | list[str]] | None = None,
    ) -> AnswerT:
        """Return what is at ``path``, which begins after the version.

        Raises:
            NotThereError: there is nothing.
            NotLookedAtError: it cannot be told.

        """
        return answer.model_validate_json(await self._asked(api, "GET", path, parameters))

    async def post(
        self, api: Api, path: str, answer: type[AnswerT], body: Mapping[str, object]
    ) -> AnswerT:
        """Ask a question that needs a body; nothing here writes.

        Raises:
            NotLookedAtError: there is no answer.

        """
        return answer.model_validate_json(await self._asked(api, "POST", path, body=body))

    async def _asked(
        self,
        api: Api,
        method: str,
        path: str,
        parameters: Mapping[str, str | list[str]] | None = None,
        body: Mapping[str, object] | None = None,
    ) -> bytes:
        url = self._base_urls[api].rstrip("/") + "/" + path
        try:
            answer = await self._http.request(
                method, url, params=parameters, json=body, headers=self._headers, timeout=TIMEOUT_S
            )
        except (httpx.LocalProtocolError, UnicodeEncodeError):
            raise NotLookedAtError(UNSENDABLE) from None
        except httpx.HTTPError as error:
            host = httpx.URL(url).host
            why = (
                f"{type(error).__name__} at {host}: {error}"
                if str(error)
                else f"no answer of {host}"
            )
            raise NotLookedAtError(why) from error
        if answer.is_success:
            return answer.content
        raise _refusal(api, answer)


def _refusal(api: Api, answer: httpx.Response) -> NotLookedAtError:
    try:
        error = ErrorAnswer.model_validate_json(answer.content).error
    except ValidationError:
        error = ErrorBody()
    reasons = {detail.reason for detail in (*error.errors, *error.details)}
    if reasons & {"accessNotConfigured", "SERVICE_DISABLED"}:
        return ApiDisabledError(f"{api}.googleapis.com")
    said = error.message or answer.reason_phrase
    text = f"{api}.googleapis.com answered {answer.status_code}: {said}"
    if answer.status_code == httpx.codes.NOT_FOUND:
        return NotThereError(text)
    return NotLookedAtError(text)
