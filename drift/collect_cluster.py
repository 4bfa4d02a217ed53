"""Reading the cluster through the Kubernetes API, with the access that `pulumi up` has."""

import asyncio
import base64
import tempfile
import warnings
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import httpx
import kr8s
import kr8s.asyncio

from drift.errors import DriftError
from drift.snapshot import Kind, KubernetesObject, Snapshot
from drift.state import Kubeconfig

REQUEST_TIMEOUT_S = 60
"""A list of some thousand objects of a busy control plane takes seconds."""

_CANNOT_BE_READ = (
    OSError,
    httpx.HTTPError,
    kr8s.ServerError,
    kr8s.APITimeoutError,
    RuntimeError,  # kr8s raises it when the login plugin fails, with the plugin's words
)


def read_cluster(
    kubeconfig: Kubeconfig, kinds: Collection[Kind], *, progress: Callable[[str], None]
) -> Snapshot:
    """List all objects of these kinds, in all namespaces.

    Raises:
        DriftError: the API server does not answer, or refuses.

    """
    with (
        tempfile.TemporaryDirectory(prefix="daskfleet-drift-") as directory,
        warnings.catch_warnings(),
    ):
        # kr8s names the versions that it was tested with. What is read here has been stable for
        # years, and GKE's newer channels are always ahead.
        warnings.filterwarnings("ignore", message="Kubernetes version .* is not supported")
        document = _with_certificate_file(kubeconfig, Path(directory))
        try:
            return asyncio.run(_read(document, sorted(set(kinds)), progress))
        except _CANNOT_BE_READ as error:
            server = kubeconfig["clusters"][0]["cluster"]["server"]
            raise DriftError(
                f"The Kubernetes API at {server} cannot be read: {error or repr(error)}. Check "
                "that `gke-gcloud-auth-plugin` is on PATH, who it logs in as, and that the "
                "endpoint can be reached from here."
            ) from error


def _with_certificate_file(kubeconfig: Kubeconfig, directory: Path) -> Kubeconfig:
    """Return the kubeconfig with its authority in a file: kr8s would leave one behind."""
    (named,) = kubeconfig["clusters"]
    cluster = dict(named["cluster"])
    if encoded := cluster.pop("certificate-authority-data", None):
        file = directory / "certificate-authority.pem"
        file.write_bytes(base64.b64decode(encoded))
        cluster["certificate-authority"] = str(file)
    return {**kubeconfig, "clusters": [{**named, "cluster": cluster}]}


async def _read(
    kubeconfig: Kubeconfig, kinds: list[Kind], progress: Callable[[str], None]
) -> Snapshot:
    api = await kr8s.asyncio.api(kubeconfig=kubeconfig)  # type: ignore[arg-type]
    api.timeout = REQUEST_TIMEOUT_S
    versions = sorted({kind.api_version for kind in kinds})
    served = await asyncio.gather(*(_served(api, version) for version in versions))
    plurals = {kind: plural for of_version in served for kind, plural in of_version.items()}

    async def listed(kind: Kind) -> tuple[KubernetesObject, ...]:
        if kind not in plurals:
            return ()
        answer = await _get(api, kind.api_version, plurals[kind])
        progress(f"{len(answer['items'])} {plurals[kind]}")
        return tuple(answer["items"])

    lists = await asyncio.gather(*(listed(kind) for kind in kinds))
    return Snapshot(objects=dict(zip(kinds, lists, strict=True)))


async def _served(api: kr8s.asyncio.Api, version: str) -> dict[Kind, str]:
    """Return the kinds of an API version, none when it is not served: definitions are gone."""
    try:
        answer = await _get(api, version, "")
    except kr8s.ServerError as error:
        if error.response is not None and error.response.status_code == httpx.codes.NOT_FOUND:
            return {}
        raise
    return {
        Kind(version, resource["kind"]): resource["name"]
        for resource in answer["resources"]
        if "/" not in resource["name"]
    }


async def _get(api: kr8s.asyncio.Api, version: str, url: str) -> dict[str, Any]:
    async with api.call_api("GET", version=version, url=url) as response:
        answer: dict[str, Any] = response.json()
        return answer
