"""Requests to the Kubernetes API about one namespace, by the program itself."""

import asyncio
import atexit
import functools
import json
import tempfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, Self, TypeVar

import httpx
import kr8s
import kr8s.asyncio
from pydantic import BaseModel, ValidationError

from daskfleet.access import pod_http
from daskfleet.access.kubernetes_api import logged_in, status_of
from daskfleet.pod_status import KubernetesObject
from manifests.kubeconfig import Kubeconfig

REQUEST_TIMEOUT_S = 15
MOST_BYTES = 4 * 1024 * 1024
"""Of a pod's answer: it is a team's, and may say anything."""

Answer = TypeVar("Answer", bound=BaseModel)

WATCH_SILENCE_S = 60
"""After this long without a word a watch ends: its connection may be dead at one end only."""


class UnansweredError(Exception):
    """The API server does not answer at the moment; asking again may help."""


class NotFoundError(Exception):
    """There is no such object."""


@functools.cache
def program_directory() -> Path:
    """Return where this process keeps certificates and keys; it goes with the process."""
    directory = tempfile.TemporaryDirectory(prefix="daskfleet-")
    atexit.register(directory.cleanup)
    return Path(directory.name)


class NamespaceApi:
    """Asks the API server about what is in a namespace, and tells apart why it does not answer."""

    def __init__(self, api: kr8s.asyncio.Api, *, namespace: str) -> None:
        self._api = api
        self.namespace = namespace

    @classmethod
    async def connect(cls, kubeconfig: Kubeconfig, *, namespace: str) -> Self:
        """Log in; all namespaces of one program share the connection."""
        return cls(await logged_in(kubeconfig, program_directory()), namespace=namespace)

    def elsewhere(self, namespace: str) -> Self:
        """Return the same for another namespace."""
        return type(self)(self._api, namespace=namespace)

    async def request(
        self, method: str, version: str, url: str, **arguments: Any
    ) -> KubernetesObject:
        """Send a request and return the answer.

        Raises ``NotFoundError``, and ``UnansweredError`` when a second try may help.
        """
        return await self._ask(self.namespace, method, version, url, **arguments)

    async def nodes(self) -> tuple[KubernetesObject, ...]:
        """Return all nodes, which are in no namespace. Raises ``UnansweredError``."""
        answer = await self._ask(None, "GET", "v1", "nodes")
        return tuple(answer["items"])

    async def _ask(
        self, namespace: str | None, method: str, version: str, url: str, **arguments: Any
    ) -> KubernetesObject:
        try:
            async with (
                asyncio.timeout(REQUEST_TIMEOUT_S),
                self._api.call_api(
                    method, version=version, namespace=namespace, url=url, **arguments
                ) as response,
            ):
                answer: KubernetesObject = response.json()
                return answer
        except (TimeoutError, httpx.TransportError, kr8s.APITimeoutError) as error:
            raise UnansweredError(repr(error)) from error
        except kr8s.ServerError as error:
            status = status_of(error)
            if status == httpx.codes.NOT_FOUND:
                raise NotFoundError(str(error)) from error
            # 429 also says "storage is (re)initializing", seconds after the definitions came.
            if status == httpx.codes.TOO_MANY_REQUESTS or (status and status >= 500):  # noqa: PLR2004
                raise UnansweredError(str(error)) from error
            raise

    async def labelled(
        self, version: str, plural: str, **labels: str
    ) -> tuple[KubernetesObject, ...]:
        """Return all objects of a kind that have these labels; none of a kind that is not defined.

        Raises ``UnansweredError``.
        """
        try:
            answer = await self.request("GET", version, plural, params=_with(labels))
        except NotFoundError:
            return ()
        return tuple(answer["items"])

    async def changes(self, version: str, plural: str, **labels: str) -> AsyncIterator[None]:
        """Yield for each object of a kind that has these labels, and then at each change of one.

        Not by ``kr8s.Api.async_watch``, which asks for all kinds first, and after a 410 asks for
        the same version again without a pause. Ends when refused, and when the server likes.
        """
        async with self._api.call_api(
            "GET",
            version=version,
            namespace=self.namespace,
            url=plural,
            params={"watch": "true", **_with(labels)},
            stream=True,
            timeout=WATCH_SILENCE_S,
            raise_for_status=False,  # refused, kr8s closes the session that all requests share
        ) as response:
            if response.is_success:
                async for _ in response.aiter_lines():
                    yield

    async def ask_pod(
        self,
        pod: str,
        url: str,
        *,
        answers: type[Answer],
        body: Mapping[str, Any] | None = None,
        timeout_s: float = REQUEST_TIMEOUT_S,
    ) -> Answer:
        """Send GET to a pod, or POST with a body, and return the JSON that it answers.

        Raises ``UnansweredError``, too where the answer is none of that form.
        """
        try:
            answer = await pod_http.fetch(
                self._api,
                namespace=self.namespace,
                pod=pod,
                url=url,
                body=None if body is None else json.dumps(body).encode(),
                most_bytes=MOST_BYTES,
                timeout_s=timeout_s,
            )
            return answers.model_validate_json(answer)
        except pod_http.UnansweredError as error:
            raise UnansweredError(str(error)) from error
        except ValidationError as error:
            what = error.errors(include_url=False, include_input=False)[0]["msg"]
            raise UnansweredError(
                f"pod {pod} gives an answer that no scheduler gives: {what}"
            ) from error


def _with(labels: Mapping[str, str]) -> dict[str, str]:
    return {"labelSelector": ",".join(f"{key}={value}" for key, value in labels.items())}
