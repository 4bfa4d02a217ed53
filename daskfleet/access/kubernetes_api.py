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

from daskfleet.access.errors import AccessError
from daskfleet.access.kubeconfig import Kubeconfig, server_of, with_files

_CANNOT_BE_READ = (
    OSError,
    httpx.HTTPError,
    kr8s.ServerError,
    kr8s.APITimeoutError,
    RuntimeError,  # kr8s raises it when the login plugin fails, with the plugin's words
)


@asynccontextmanager
async def connected(
    kubeconfig: Kubeconfig, *, request_timeout_s: float
) -> AsyncIterator[kr8s.asyncio.Api]:
    """Log in, and leave nothing behind.

    Raises:
        AccessError: the API server does not answer, or refuses, now or in the body.

    """
    with (
        tempfile.TemporaryDirectory(prefix="daskfleet-") as directory,
        warnings.catch_warnings(),
    ):
        # kr8s names the versions that it was tested with. What is read here has been stable for
        # years, and GKE's newer channels are always ahead.
        warnings.filterwarnings("ignore", message="Kubernetes version .* is not supported")
        try:
            document = with_files(kubeconfig, Path(directory))
        except ValueError as error:  # base64's, too
            raise AccessError(
                f"The kubeconfig has a certificate or key that is none: {error}. Fetch it anew."
            ) from error
        try:
            api = await _logged_in(document)
            api.timeout = request_timeout_s
            yield api
        except _CANNOT_BE_READ as error:
            raise AccessError(
                f"The Kubernetes API at {server_of(kubeconfig)} cannot be read: "
                f"{error or repr(error)}. Check that `gke-gcloud-auth-plugin` is on PATH, who it "
                "logs in as, and that the endpoint can be reached from here."
            ) from error


async def _logged_in(document: Kubeconfig) -> kr8s.asyncio.Api:
    try:
        return await kr8s.asyncio.api(kubeconfig=document)  # type: ignore[arg-type]
    except (KeyError, ValueError) as error:
        # So kr8s says that a kubeconfig, or what its login plugin prints, is none that it takes.
        raise AccessError(
            f"The kubeconfig does not let in to {server_of(document)}: {error}. Fetch it anew, "
            "and install a current `gke-gcloud-auth-plugin`."
        ) from error


def status_of(error: kr8s.ServerError) -> int | None:
    """Return the HTTP status with which the API server refused; None where it did not answer."""
    return error.response.status_code if error.response is not None else None


async def get(api: kr8s.asyncio.Api, version: str, url: str, **arguments: Any) -> dict[str, Any]:
    """Send GET, and return what the API server answers."""
    async with api.call_api("GET", version=version, url=url, **arguments) as response:
        answer: dict[str, Any] = response.json()
        return answer
