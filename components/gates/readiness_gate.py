"""Wait until a Dask cluster is ready, and help the operator where it gives up."""

import asyncio
import time
from collections.abc import Callable

from components.gates.dask_cluster_api import ClusterGoneError, DaskClusterApi
from components.gates.namespace_api import NamespaceApi, UnansweredError
from components.gates.namespace_watch import NamespaceWatch
from components.gates.paced_report import PacedReport
from components.gates.readiness import CREATE_COMPONENTS, Declared, assess
from components.gates.readiness_states import (
    Asleep,
    Creating,
    CreationFailing,
    Incomplete,
    NotReady,
    Outdated,
    Ready,
    Waiting,
)
from daskfleet.contract.dask import CLUSTER_LABEL

OPERATOR_PAUSE_S = 2
"""The operator is left alone so long when it has to act, whatever changes meanwhile: it writes its
phase from two handlers, and may be at work between them."""

CREATION_ATTEMPTS = 3
"""How often the operator may try to create a cluster's objects before that counts as refused. One
failure can be a race of its handlers (dask-kubernetes#976); an invalid pod fails every time."""

RELEASED = "Error"
"""A phase of the operator's own vocabulary that starts no handler; see ``_steer_operator``."""


class NotReadyError(Exception):
    """The Dask cluster is not as declared; the text says what is missing and why."""


async def wait_until_ready(
    api: NamespaceApi,
    declared: Declared,
    *,
    timeout_s: float,
    report: Callable[[str], None],
) -> None:
    """Return when the scheduler and exactly the declared workers are ready.

    ``report`` receives a line when that which is waited for changes, and every minute. Raises
    ``NotReadyError`` after ``timeout_s``, or earlier when the operator cannot create the
    cluster's objects.
    """
    cluster = DaskClusterApi(api, name=declared.name)
    # Of all that readiness depends on, a pod is what changes last.
    pods = NamespaceWatch(api, "v1", "pods", **{CLUSTER_LABEL: declared.name})
    try:
        async with pods:
            await _wait(cluster, declared, pods, timeout_s=timeout_s, report=report)
    except ClusterGoneError as error:
        raise NotReadyError(
            f"DaskCluster {declared.name} is gone from namespace {declared.namespace}, but is "
            f"still in the state. `pulumi up --refresh` creates it again."
        ) from error


async def _wait(
    api: DaskClusterApi,
    declared: Declared,
    pods: NamespaceWatch,
    *,
    timeout_s: float,
    report: Callable[[str], None],
) -> None:
    started = time.monotonic()
    failures = 0
    paced = PacedReport(report)
    while True:
        elapsed_s = time.monotonic() - started
        try:
            state = assess(declared, await api.observe())
            if isinstance(state, Ready):
                return
            await _steer_operator(
                api,
                state,
                give_up=elapsed_s > timeout_s,
                is_settled=state.reasons == paced.last_subject,
            )
            # Counted once it is taken back: the same one is not seen again.
            failures += isinstance(state, CreationFailing)
        except UnansweredError as error:
            state = Waiting(reasons=(f"the Kubernetes API does not answer: {error}",))
        is_final = isinstance(state, Outdated) or failures == CREATION_ATTEMPTS
        if elapsed_s > timeout_s or is_final:
            raise NotReadyError(_explanation(declared, state, elapsed_s))
        line = f"{elapsed_s:.0f} of at most {timeout_s:.0f} s: {'; '.join(state.reasons)}"
        paced.tell(line, subject=state.reasons, elapsed_s=elapsed_s)
        if isinstance(state, Waiting | Creating):
            await pods.change()
        else:
            await asyncio.sleep(OPERATOR_PAUSE_S)


async def _steer_operator(
    api: DaskClusterApi, state: NotReady, *, give_up: bool, is_settled: bool
) -> None:
    """Ask the operator for missing objects, and take the request back when it fails.

    A cluster whose creation the operator still retries must not be left behind: it would retry
    under deletion too, and ``pulumi destroy`` would hang on the finalizer. What was taken back
    is found incomplete by the next ``up``, which asks again. Missing objects count only when
    seen twice, with ``OPERATOR_PAUSE_S`` in between.
    """
    match state:
        case CreationFailing():
            await api.set_phase(RELEASED)
        case Creating() if give_up:
            await api.set_phase(RELEASED)
        case Incomplete() if is_settled and not give_up:
            await api.set_phase(CREATE_COMPONENTS)
        case Asleep(workers=workers):
            await api.wake(workers)


def _explanation(declared: Declared, state: NotReady, elapsed_s: float) -> str:
    lines = "\n".join(f"  {reason}" for reason in state.reasons)
    return f"namespace {declared.namespace} after {elapsed_s:.0f} s:\n{lines}"
