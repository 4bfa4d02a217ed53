"""Wait until a Dask cluster is ready, and help the operator where it gives up."""

import asyncio
import time
import warnings
from collections.abc import Callable
from typing import Any

import httpx
import kr8s
import kr8s.asyncio

from components.dask_contract import CLUSTER_LABEL
from components.kubeconfig import Kubeconfig
from components.pod_status import KubernetesObject
from components.readiness import (
    CREATE_COMPONENTS,
    HANDLER_PROGRESS,
    Creating,
    CreationFailing,
    Declared,
    Incomplete,
    NotReady,
    Observed,
    Ready,
    State,
    Waiting,
    assess,
)

POLL_INTERVAL_S = 2
REPORT_INTERVAL_S = 60
OBSERVATION_TIMEOUT_S = 30
CREATION_ATTEMPTS = 3
"""How often the operator may try to create a cluster's objects before that counts as refused. One
failure can be a race of its handlers (dask-kubernetes#976); an invalid pod fails every time."""

RELEASED = "Error"
"""A phase of the operator's own vocabulary that starts no handler; see ``_steer_operator``."""

DASK_API = "kubernetes.dask.org/v1"

# kr8s names the versions that it was tested with. What is read here has been stable in Kubernetes
# for years, and GKE's newer channels are always ahead.
warnings.filterwarnings("ignore", message="Kubernetes version .* is not supported")


class NotReadyError(Exception):
    """The Dask cluster is not as declared; the text says what is missing and why."""


async def wait_until_ready(
    *,
    kubeconfig: Kubeconfig,
    declared: Declared,
    timeout_s: float,
    report: Callable[[str], None],
) -> None:
    """Return when the scheduler and exactly the declared workers are ready.

    ``report`` receives a line when that which is waited for changes, and every minute. Raises
    ``NotReadyError`` after ``timeout_s``, or earlier when the operator cannot create the
    cluster's objects.
    """
    api = await kr8s.asyncio.api(kubeconfig=kubeconfig)  # type: ignore[arg-type]
    started = time.monotonic()
    failures: list[str] = []
    reported: tuple[str, ...] = ()
    report_due_s = 0.0
    while not isinstance(state := await _state(api, declared), Ready):
        elapsed_s = time.monotonic() - started
        if isinstance(state, CreationFailing):
            failures.append(state.error)
        await _steer_operator(
            api,
            declared,
            state,
            give_up=elapsed_s > timeout_s,
            is_settled=state.reasons == reported,
        )
        if elapsed_s > timeout_s or len(failures) == CREATION_ATTEMPTS:
            raise NotReadyError(_explanation(declared, state, elapsed_s))
        if state.reasons != reported or elapsed_s >= report_due_s:
            report(f"{elapsed_s:.0f} of at most {timeout_s:.0f} s: {'; '.join(state.reasons)}")
            reported, report_due_s = state.reasons, elapsed_s + REPORT_INTERVAL_S
        await asyncio.sleep(POLL_INTERVAL_S)


async def _steer_operator(
    api: kr8s.asyncio.Api,
    declared: Declared,
    state: NotReady,
    *,
    give_up: bool,
    is_settled: bool,
) -> None:
    """Ask the operator for missing objects, and take the request back when it fails.

    A cluster whose creation the operator still retries must not be left behind: it would retry
    under deletion too, and ``pulumi destroy`` would hang on the finalizer. What was taken back
    is found incomplete by the next ``up``, which asks again. Missing objects count only when
    seen twice: the operator writes its phase from two handlers, and may be at work between them.
    """
    match state:
        case CreationFailing():
            await _set_phase(api, declared, RELEASED)
        case Creating() if give_up:
            await _set_phase(api, declared, RELEASED)
        case Incomplete() if is_settled and not give_up:
            await _set_phase(api, declared, CREATE_COMPONENTS)


async def _state(api: kr8s.asyncio.Api, declared: Declared) -> State:
    """Assess the cluster; an API server that does not answer is one more thing to wait for."""
    try:
        async with asyncio.timeout(OBSERVATION_TIMEOUT_S):
            return assess(declared, await _observe(api, declared))
    except (TimeoutError, httpx.TransportError, kr8s.APITimeoutError) as error:
        return Waiting(reasons=(f"the Kubernetes API does not answer: {error!r}",))


async def _observe(api: kr8s.asyncio.Api, declared: Declared) -> Observed:
    async def items(kind: str, *, version: str, label: bool = True) -> tuple[KubernetesObject, ...]:
        params = {"labelSelector": f"{CLUSTER_LABEL}={declared.name}"} if label else {}
        answer = await _get(api, kind, version=version, namespace=declared.namespace, params=params)
        return tuple(answer["items"])

    cluster = await _cluster(api, declared)
    deployments = await items("deployments", version="apps/v1")
    services = await items("services", version="v1")
    groups = await items("daskworkergroups", version=DASK_API)
    return Observed(
        cluster=cluster,
        children=frozenset(
            f"{kind}/{child['metadata']['name']}"
            for kind, children in (
                ("Deployment", deployments),
                ("Service", services),
                ("DaskWorkerGroup", groups),
            )
            for child in children
        ),
        deployments=deployments,
        pods=await items("pods", version="v1"),
        events=await items("events", version="v1", label=False),
    )


async def _cluster(api: kr8s.asyncio.Api, declared: Declared) -> KubernetesObject:
    url = f"daskclusters/{declared.name}"
    try:
        return await _get(api, url, version=DASK_API, namespace=declared.namespace)
    except kr8s.ServerError as error:
        if error.response is None or error.response.status_code != httpx.codes.NOT_FOUND:
            raise
        raise NotReadyError(
            f"DaskCluster {declared.name} is gone from namespace {declared.namespace}, and the "
            "state does not know. `pulumi up --refresh` creates it again."
        ) from error


async def _get(
    api: kr8s.asyncio.Api,
    url: str,
    *,
    version: str,
    namespace: str,
    params: dict[str, str] | None = None,
) -> dict[str, Any]:
    async with api.call_api(
        "GET", version=version, namespace=namespace, url=url, params=params
    ) as response:
        answer: dict[str, Any] = response.json()
        return answer


async def _set_phase(api: kr8s.asyncio.Api, declared: Declared, phase: str) -> None:
    """Write ``status.phase``, which is no subresource here, and forget what failed before."""
    async with api.call_api(
        "PATCH",
        version=DASK_API,
        namespace=declared.namespace,
        url=f"daskclusters/{declared.name}",
        json={
            "status": {"phase": phase},
            "metadata": {"annotations": {HANDLER_PROGRESS: None}},
        },
        headers={"Content-Type": "application/merge-patch+json"},
    ):
        pass


def _explanation(declared: Declared, state: NotReady, elapsed_s: float) -> str:
    lines = "\n".join(f"  {reason}" for reason in state.reasons)
    return f"namespace {declared.namespace} after {elapsed_s:.0f} s:\n{lines}"
