"""One Dask cluster as the Kubernetes API shows it, and the one field of it that is written."""

import asyncio
import atexit
import base64
import functools
import tempfile
import warnings
from pathlib import Path
from typing import Any, Self

import httpx
import kr8s
import kr8s.asyncio

from components.dask_contract import CLUSTER_LABEL
from components.kubeconfig import Kubeconfig
from components.pod_status import KubernetesObject
from components.readiness import HANDLER_PROGRESS, Observed

REQUEST_TIMEOUT_S = 15
DASK_API = "kubernetes.dask.org/v1"
CHILD_KINDS = {
    "Deployment": ("apps/v1", "deployments"),
    "Service": ("v1", "services"),
    "DaskWorkerGroup": (DASK_API, "daskworkergroups"),
}

# kr8s names the versions that it was tested with. What is read here has been stable in Kubernetes
# for years, and GKE's newer channels are always ahead.
warnings.filterwarnings("ignore", message="Kubernetes version .* is not supported")


class UnansweredError(Exception):
    """The API server does not answer at the moment; asking again may help."""


class ClusterGoneError(Exception):
    """There is no such DaskCluster."""


def with_certificate_file(kubeconfig: Kubeconfig) -> Kubeconfig:
    """Return the kubeconfig with its authority in a file that goes with this process.

    kr8s 0.20 would write one at each login and leave it in the temporary directory.
    """
    (named,) = kubeconfig["clusters"]
    cluster = dict(named["cluster"])
    if encoded := cluster.pop("certificate-authority-data", None):
        cluster["certificate-authority"] = _certificate_file(encoded)
    return {**kubeconfig, "clusters": [{**named, "cluster": cluster}]}


@functools.cache
def _certificate_file(encoded: str) -> str:
    with tempfile.NamedTemporaryFile(suffix=".pem", delete=False) as file:
        file.write(base64.b64decode(encoded))
    atexit.register(Path(file.name).unlink, missing_ok=True)
    return file.name


class DaskClusterApi:
    """Reads and steers the DaskCluster ``name``."""

    def __init__(self, api: kr8s.asyncio.Api, *, name: str, namespace: str) -> None:
        self._api = api
        self._name = name
        self._namespace = namespace

    @classmethod
    async def connect(cls, kubeconfig: Kubeconfig, *, name: str, namespace: str) -> Self:
        """Log in; all clusters of one program share the connection."""
        document = with_certificate_file(kubeconfig)
        api = await kr8s.asyncio.api(kubeconfig=document)  # type: ignore[arg-type]
        return cls(api, name=name, namespace=namespace)

    async def observe(self) -> Observed:
        """Read everything that readiness depends on.

        Raises ``ClusterGoneError``, and ``UnansweredError`` when a second try may help.
        """
        cluster = await self._request("GET", DASK_API, f"daskclusters/{self._name}")
        children = {
            kind: await self._labelled(version, plural)
            for kind, (version, plural) in CHILD_KINDS.items()
        }
        events = await self._request("GET", "v1", "events")
        return Observed(
            cluster=cluster,
            children=frozenset(
                f"{kind}/{child['metadata']['name']}"
                for kind, of_kind in children.items()
                for child in of_kind
            ),
            deployments=children["Deployment"],
            pods=await self._labelled("v1", "pods"),
            events=tuple(events["items"]),
        )

    async def set_phase(self, phase: str) -> None:
        """Write ``status.phase``, which is no subresource here, and forget what failed before.

        Raises as ``observe`` does.
        """
        await self._request(
            "PATCH",
            DASK_API,
            f"daskclusters/{self._name}",
            json={
                "status": {"phase": phase},
                "metadata": {"annotations": {HANDLER_PROGRESS: None}},
            },
            headers={"Content-Type": "application/merge-patch+json"},
        )

    async def _labelled(self, version: str, plural: str) -> tuple[KubernetesObject, ...]:
        answer = await self._request(
            "GET", version, plural, params={"labelSelector": f"{CLUSTER_LABEL}={self._name}"}
        )
        return tuple(answer["items"])

    async def _request(
        self, method: str, version: str, url: str, **arguments: Any
    ) -> dict[str, Any]:
        try:
            async with (
                asyncio.timeout(REQUEST_TIMEOUT_S),
                self._api.call_api(
                    method, version=version, namespace=self._namespace, url=url, **arguments
                ) as response,
            ):
                answer: dict[str, Any] = response.json()
                return answer
        except (TimeoutError, httpx.TransportError, kr8s.APITimeoutError) as error:
            raise UnansweredError(repr(error)) from error
        except kr8s.ServerError as error:
            status = error.response.status_code if error.response is not None else None
            if status == httpx.codes.NOT_FOUND:
                raise ClusterGoneError(str(error)) from error
            # 429 also says "storage is (re)initializing", seconds after the definitions came.
            if status == httpx.codes.TOO_MANY_REQUESTS or (status and status >= 500):  # noqa: PLR2004
                raise UnansweredError(str(error)) from error
            raise
