"""A connection to the Kubernetes API of a fleet, with the access of a kubeconfig."""

import tempfile
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import kr8s
import kr8s.asyncio

from daskfleet.access.errors import AccessError, LoginError, words_of
from daskfleet.access.kubeconfig import Kubeconfig, server_of, with_files
from daskfleet.access.proxy import Proxy, proxy_to

UNREAD = (kr8s.ServerError, kr8s.APITimeoutError, httpx.HTTPError)
"""One request is refused or not answered; others may be answered all the same."""

_CANNOT_BE_READ = (
    *UNREAD,
    OSError,
    RuntimeError,  # kr8s raises it when the login plugin fails, with the plugin's words
)


LOG_IN = (
    "Log in again with `gcloud auth login`, and check that `gke-gcloud-auth-plugin` is on PATH. "
    "If that does not help, fetch the kubeconfig again."
)


@asynccontextmanager
async def connected(
    kubeconfig: Kubeconfig, *, request_timeout_s: float
) -> AsyncIterator[kr8s.asyncio.Api]:
    """Log in, and leave nothing behind.

    Raises:
        LoginError: the login has expired or cannot be made, now or in the body.
        AccessError: the API server does not answer, or refuses, now or in the body.

    """
    proxy = proxy_to(kubeconfig)
    with tempfile.TemporaryDirectory(prefix="daskfleet-") as directory:
        try:
            api = await logged_in(_told_apart(kubeconfig, directory), Path(directory))
            api.timeout = request_timeout_s
            async with _session_closed(api):
                yield api
        except _CANNOT_BE_READ as error:
            raise _explained(error, server_of(kubeconfig), proxy) from error


def _explained(error: Exception, server: str, proxy: Proxy | None) -> AccessError:
    if isinstance(error, kr8s.ServerError) and status_of(error) == httpx.codes.UNAUTHORIZED:
        return LoginError(
            f"The Kubernetes API at {server} does not know who you are (401): your login has "
            f"expired, or is not one for this cluster. {LOG_IN}"
        )
    words = " ".join(str(error).split())
    if isinstance(error, FileNotFoundError) or words.startswith("Process exited with"):
        # The login plugin is not there, or failed: then kr8s gives its words.
        return LoginError(
            f"The program with which your kubeconfig logs in to {server} fails: {words}. {LOG_IN}"
        )
    if proxy is not None and not isinstance(error, kr8s.ServerError):
        return AccessError(
            f"The Kubernetes API at {server} cannot be reached by the proxy {proxy.address}, which "
            f"{proxy.named_by} names: {words_of(error)}. Check that the proxy runs and lets you "
            f"through. If none is needed, {proxy.way_around}."
        )
    return AccessError(
        f"The Kubernetes API at {server} cannot be read: {words_of(error)}. Check that "
        "`gke-gcloud-auth-plugin` is on PATH, who it logs in as, and that the endpoint can be "
        "reached from here."
    )


def _told_apart(document: Kubeconfig, name: str) -> Kubeconfig:
    """Give the document a name of its own: for equal ones kr8s 0.20 returns the same ``Api``.

    That would be closed with the first connection that ends.
    """
    return {**document, "extensions": [{"name": "daskfleet", "extension": {"connection": name}}]}


@asynccontextmanager
async def _session_closed(api: kr8s.asyncio.Api) -> AsyncIterator[None]:
    """Close its connections at the end: kr8s 0.20 never does, and Python goes on after a tunnel."""
    try:
        yield
    finally:
        if api._session is not None:  # noqa: SLF001 - there is no other way to it
            await api._session.aclose()  # noqa: SLF001


async def logged_in(kubeconfig: Kubeconfig, directory: Path) -> kr8s.asyncio.Api:
    """Log in, with certificates and keys in files below ``directory``.

    For an equal kubeconfig and the same directory it is the same ``Api``.

    Raises:
        AccessError: a certificate is none.
        LoginError: kr8s does not take the kubeconfig, or what its login plugin says.

    """
    try:
        document = with_files(kubeconfig, directory)
    except ValueError as error:  # base64's, too
        raise AccessError(
            f"The kubeconfig has an invalid certificate or key: {error}. Fetch it again."
        ) from error
    try:
        # kr8s names the versions that it was tested with as it logs in. What is read here has been
        # stable for years, and GKE's newer channels are always ahead. Only then: filters are the
        # whole process', which is somebody's notebook while a tunnel is held.
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Kubernetes version .* is not supported")
            return await kr8s.asyncio.api(kubeconfig=document)  # type: ignore[arg-type]
    except (KeyError, ValueError) as error:
        # So kr8s says that a kubeconfig, or what its login plugin prints, is none that it takes.
        raise LoginError(
            f"The kubeconfig cannot log in to {server_of(document)}: {error}. Fetch it again, "
            f"and install a current `gke-gcloud-auth-plugin`."
        ) from error


def status_of(error: kr8s.ServerError) -> int | None:
    """Return the HTTP status with which the API server refused; None where it did not answer."""
    return error.response.status_code if error.response is not None else None


async def get(api: kr8s.asyncio.Api, version: str, url: str, **arguments: Any) -> dict[str, Any]:
    """Send GET, and return what the API server answers.

    Raises:
        kr8s.ServerError: it refuses.

    """
    asking: dict[str, Any] = {"method": "GET", "version": version, "url": url, **arguments}
    # kr8s takes 403 for a login that has expired (0.20, ``Api.call_api``): it would log in three
    # times, and each time close its session, with all that is asked by it about other teams.
    async with api.call_api(**asking, raise_for_status=False) as response:
        if response.is_client_error and response.status_code != httpx.codes.UNAUTHORIZED:
            raise _refusal(response)
        if response.is_success:
            return _document(response)
    async with api.call_api(**asking) as response:
        return _document(response)


def _document(response: httpx.Response) -> dict[str, Any]:
    document: dict[str, Any] = response.json()
    return document


def _refusal(response: httpx.Response) -> kr8s.ServerError:
    """Return what kr8s makes of it."""
    try:
        said = str(response.json()["message"])
    except (ValueError, KeyError, TypeError):
        said = f"{response.status_code} {response.reason_phrase}"
    return kr8s.ServerError(said, response=response)
