"""The pod that connections go to, kept right while pods, Services and API servers come and go."""

import asyncio
from collections.abc import Awaitable, Callable

import httpx
import kr8s
import kr8s.asyncio

from daskfleet.access.errors import words_of
from daskfleet.access.kubernetes_api import LOG_IN, get, status_of
from daskfleet.access.pod_port import ERRORS
from daskfleet.access.service_target import ServiceTarget, selector_of, target_of

LOOK_EVERY_S = 2.0
"""Two reads each; short against the 10 s in which Kubernetes itself calls a pod unready."""

FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 8.0
"""Between looks while there is nothing to forward to: doubled each time, up to this. A Dask client
tries for 30 s to connect again, so a longer pause could cost it the connection."""

Look = Callable[[], Awaitable[ServiceTarget]]
Say = Callable[[str], None]


async def look_up(
    api: kr8s.asyncio.Api, *, namespace: str, service: str, of: str = "scheduler"
) -> ServiceTarget:
    """Ask where the Service leads, with the rights that ``kubectl port-forward`` needs, too."""
    try:
        found = await get(api, "v1", f"services/{service}", namespace=namespace)
        selector = selector_of(found)
        labels = ",".join(f"{key}={value}" for key, value in sorted(selector.items()))
        pods = (
            (await get(api, "v1", "pods", namespace=namespace, params={"labelSelector": labels}))[
                "items"
            ]
            if selector
            else []
        )
        return target_of(pods, of=of)
    except kr8s.ServerError as error:
        if status_of(error) == httpx.codes.NOT_FOUND:
            return ServiceTarget(None, f"Service {service} in namespace {namespace}")
        if status_of(error) == httpx.codes.UNAUTHORIZED:
            return ServiceTarget(None, f"a login that has not expired ({error}). {LOG_IN}")
        return ServiceTarget(None, f"the Kubernetes API ({error})")
    except RuntimeError as error:  # how kr8s says that the login plugin failed
        return ServiceTarget(None, f"your login plugin ({words_of(error)}). {LOG_IN}")
    except ERRORS as error:
        return ServiceTarget(None, f"the Kubernetes API ({words_of(error)})")


class Route:
    """Looks again and again, and says what changes."""

    def __init__(self, look: Look, *, say: Say) -> None:
        self._look = look
        self._say = say
        self._changed = asyncio.Condition()
        self._no_answer = asyncio.Event()
        self._target = ServiceTarget(None)

    async def keep(self) -> None:
        """Look for ever."""
        pause_s = FIRST_PAUSE_S
        while True:
            await self._publish(await self._look())
            if self._target.pod is None:
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
                continue
            try:
                await asyncio.wait_for(self._no_answer.wait(), LOOK_EVERY_S)
            except TimeoutError:
                pause_s = FIRST_PAUSE_S
            else:
                # The pod is called ready and does not answer: its process may just have died.
                self._no_answer.clear()
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    async def pod(self) -> str:
        """Return the pod, once there is one."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._target.pod is not None)
            assert self._target.pod is not None  # noqa: S101 - the condition says so
            return self._target.pod

    async def until_left(self, pod: str) -> None:
        """Return once connections go to another pod than this one."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._target.pod not in {None, pod})

    @property
    def waits(self) -> bool:
        """Whether there is no pod now."""
        return self._target.pod is None

    async def mark_unanswered(self, pod: str) -> bool:
        """Hear that a pod did not answer: it is used again after the next look that finds it."""
        async with self._changed:
            if self._target.pod == pod:
                self._tell(ServiceTarget(None, f"an answer from pod {pod}"))
                self._no_answer.set()
        return True

    async def _publish(self, found: ServiceTarget) -> None:
        async with self._changed:
            self._tell(found)
            self._changed.notify_all()

    def _tell(self, found: ServiceTarget) -> None:
        changes = found != self._target
        self._target = found
        if changes:
            self._say(
                f"forwarding to pod {found.pod}" if found.pod else f"waiting for {found.waits_for}"
            )
