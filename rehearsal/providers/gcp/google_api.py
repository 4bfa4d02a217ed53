"""Google's REST APIs as the emulator serves them: addresses, errors and the provider's retries."""

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

import httpx

from rehearsal.providers.gcp.rest_mapping import Document
from rehearsal.providers.protocol import Call, ProviderError

RETRY_S: Final = 0.5
_SERVER_ERROR_ATTEMPTS: Final = 3
"""Tries in all for 500, 502, 503 and broken connections: they pass or they are real."""

_ENVIRONMENT: Final = {
    "container": "GOOGLE_CONTAINER_CUSTOM_ENDPOINT",
    "compute": "GOOGLE_COMPUTE_CUSTOM_ENDPOINT",
    "iam": "GOOGLE_IAM_BETA_CUSTOM_ENDPOINT",
    "resource_manager": "GOOGLE_RESOURCE_MANAGER_CUSTOM_ENDPOINT",
    "storage": "GOOGLE_STORAGE_CUSTOM_ENDPOINT",
}


class GoogleApiError(ProviderError):
    """An error answer, in the words in which Google's Go client prints it."""

    def __init__(self, *, code: int, message: str, reason: str) -> None:
        super().__init__(f"googleapi: Error {code}: {message}, {reason}")
        self.code = code
        self.reason = reason

    @property
    def is_busy(self) -> bool:
        """Whether the real provider waits and tries again until the resource's time-out."""
        busy = (HTTPStatus.BAD_REQUEST, "failedPrecondition")
        return (self.code, self.reason) == busy or self.code == HTTPStatus.TOO_MANY_REQUESTS

    @property
    def is_server_error(self) -> bool:
        """Whether the server failed rather than refused."""
        return self.code in (
            HTTPStatus.INTERNAL_SERVER_ERROR,
            HTTPStatus.BAD_GATEWAY,
            HTTPStatus.SERVICE_UNAVAILABLE,
        )


@dataclass(frozen=True)
class GoogleApi:
    """A client of the five services; `urls` are their base addresses, each ending in a slash."""

    urls: Mapping[str, str]
    token: str = field(repr=False)
    # Proxies are for Google; the emulator is on this machine.
    http: httpx.Client = field(
        default_factory=lambda: httpx.Client(timeout=60, trust_env=False), repr=False
    )

    @classmethod
    def from_environment(cls) -> "GoogleApi":
        """Take the addresses that also point the real provider at the emulator.

        Raises ProviderError when one is missing or is not on this machine: the stand-in never
        speaks to Google.
        """
        urls = {service: _loopback_url(name) for service, name in _ENVIRONMENT.items()}
        return cls(urls, os.environ.get("GOOGLE_OAUTH_ACCESS_TOKEN", ""))

    def get(self, service: str, path: str, *, call: Call) -> Document | None:
        """Read a resource, None when it does not exist."""
        try:
            return self.send("GET", service, path, call=call, default_timeout_s=60)
        except GoogleApiError as error:
            if error.code == HTTPStatus.NOT_FOUND:
                return None
            raise

    def send(
        self,
        method: str,
        service: str,
        path: str,
        *,
        call: Call,
        default_timeout_s: float,
        body: Document | None = None,
    ) -> Document:
        """Send one request; wait and repeat while the API says that it is busy.

        Raises GoogleApiError for what the API refuses, and for server errors after three tries.
        """
        url = self.urls[service] + path
        failed = 0

        def attempt() -> Document | None:
            nonlocal failed
            try:
                return self._send_once(method, url, body)
            except GoogleApiError as error:
                failed += error.is_server_error
                if error.is_busy or (error.is_server_error and failed < _SERVER_ERROR_ATTEMPTS):
                    call.report(f"waiting: {error}")
                    return None
                raise

        return call.until(
            attempt,
            every_s=RETRY_S,
            default_timeout_s=default_timeout_s,
            waiting_for=lambda: f"{method} {path} to be accepted",
        )

    def _send_once(self, method: str, url: str, body: Document | None) -> Document:
        headers = {"Authorization": f"Bearer {self.token}"}
        try:
            answer = self.http.request(method, url, json=body, headers=headers)
        except httpx.TransportError as error:
            unavailable = HTTPStatus.SERVICE_UNAVAILABLE
            raise GoogleApiError(
                code=unavailable, message=f"{method} {url}: {error}", reason="connection"
            ) from error
        if answer.is_success:
            document: Document = answer.json()
            return document
        raise _api_error(answer)


def _api_error(answer: httpx.Response) -> GoogleApiError:
    try:
        error = answer.json()["error"]
    except (ValueError, KeyError, TypeError):
        return GoogleApiError(
            code=answer.status_code, message=answer.text[:500], reason="unreadable answer"
        )
    reasons = [item.get("reason", "") for item in error.get("errors", [])]
    return GoogleApiError(
        code=answer.status_code,
        message=error.get("message", ""),
        reason=reasons[0] if reasons else error.get("status", ""),
    )


def _loopback_url(variable: str) -> str:
    url = os.environ.get(variable, "")
    host = urlsplit(url).hostname or ""
    if not url.endswith("/") or not _is_loopback(host):
        raise ProviderError(
            f"{variable} is {url!r}; the gcp stand-in needs the address of the rehearsal's "
            "emulator there, such as http://127.0.0.1:8080/compute/beta/, and never speaks to "
            "Google. Run `daskfleet rehearse shell` for the environment of a running rehearsal"
        )
    return url


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
