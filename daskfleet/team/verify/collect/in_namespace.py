"""Asking Dask from inside of the team's namespace, by a Job; what it answers is a stranger's text.

Who holds more than a member's login decodes nothing that a scheduler says: that is done by one of
the team's own pods. Its log is read to a length and within a time, as a document. The team's code
may have written it, and can so lie about its own cluster, and do nothing else.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx
import kr8s
import kr8s.asyncio

from daskfleet.access.kubernetes_api import UNREAD, get, status_of
from daskfleet.contract.declared import DeclaredTeam
from daskfleet.pod_status import KubernetesObject
from daskfleet.team.verify.collect import probe_program
from daskfleet.team.verify.collect.child import TIMEOUT_S
from daskfleet.team.verify.collect.job_log import facts_of
from daskfleet.team.verify.collect.pods import state_of
from daskfleet.team.verify.collect.probe_answer import MOST_BYTES, PROGRESS, unreadable
from daskfleet.team.verify.errors import NotAskedError, VerifyError
from daskfleet.team.verify.facts import DaskFacts
from daskfleet.visible import in_short
from manifests.verify_job import SECURITY, verify_job

START_TIMEOUT_S = 180
"""From the Job to a pod that runs. The image is on the scheduler's node."""

MADE_TIMEOUT_S = 30
"""From the Job to a pod; a quota or a policy may refuse it, and is asked again and again."""

LOG_TIMEOUT_S = 15
"""How long to wait for a log that is not there yet."""

END_TIMEOUT_S = 15
LOOK_EVERY_S = 1
BEGINNING_BYTES = 1024
"""Of the log while the pod runs: its progress."""

LONGEST = 300
"""Characters of what Kubernetes says."""

OF_ONE_NAMESPACE = ("because it is being terminated", "exceeded quota")
"""In the message of a 403 that says nothing of a right: other teams' Jobs are still made."""

BATCH = "batch/v1"
BEGUN = ("Running", "Succeeded", "Failed")
ENDED = ("Succeeded", "Failed")
_UNREAD = (*UNREAD, TimeoutError)

Progress = Callable[[str], None]


async def ask_in_namespace(
    api: kr8s.asyncio.Api, team: DeclaredTeam, modules: Sequence[str], *, progress: Progress
) -> DaskFacts:
    """Run the probe in a pod of the team's image.

    Raises:
        NotAskedError: no pod ran, or nobody could hear it.
        VerifyError: whoever asks may make no Jobs there.

    """
    request = probe_program.request_text(
        address=team.address,
        modules=modules,
        resources=team.kinds_of_resources,
        security=SECURITY if team.tls_client_secret else None,
    )
    manifest = verify_job(team, arguments=probe_program.in_a_pod(request))
    progress("waiting for a pod in its namespace")
    async with _job(api, team.namespace, manifest) as uid:
        return await _Asking(api, team, uid, progress).answer()


@asynccontextmanager
async def _job(
    api: kr8s.asyncio.Api, namespace: str, manifest: dict[str, Any]
) -> AsyncIterator[str]:
    """Make the Job, and delete it with its pod whatever happens; it ends by itself otherwise."""
    try:
        async with api.call_api(
            "POST", version=BATCH, url="jobs", namespace=namespace, json=manifest
        ) as response:
            made = response.json()["metadata"]
    except kr8s.ServerError as error:
        if (refused := _refused(namespace, error)) is None:
            raise
        raise refused from error
    try:
        yield made["uid"]
    finally:
        with suppress(*_UNREAD):
            async with asyncio.timeout(END_TIMEOUT_S):
                await _delete(api, namespace, made["name"])


def _refused(namespace: str, error: kr8s.ServerError) -> Exception | None:
    """Pure: tell a right that is missing everywhere from what only one team's Job meets."""
    said = in_short(str(error), LONGEST)
    status = status_of(error)
    is_of_one = any(each in str(error) for each in OF_ONE_NAMESPACE)
    if status == httpx.codes.FORBIDDEN and not is_of_one:
        return VerifyError(
            f"No Job can be made in namespace {namespace}: {said}. Dask is asked from there, "
            "because a scheduler's answer can run code. Ask as somebody who may create and delete "
            "Jobs and read pods' logs, with `roles/container.developer` for example; a member of "
            "the team leaves `--stack` out."
        )
    if status is not None and httpx.codes.is_client_error(status):
        return NotAskedError(f"the Job that asks was refused: {said}")
    return None


async def _delete(api: kr8s.asyncio.Api, namespace: str, job: str) -> None:
    options = {"propagationPolicy": "Background"}
    url = f"jobs/{job}"
    async with api.call_api("DELETE", version=BATCH, url=url, namespace=namespace, params=options):
        pass


class _Asking:
    """One Job from its making to its answer."""

    def __init__(
        self, api: kr8s.asyncio.Api, team: DeclaredTeam, job: str, progress: Progress
    ) -> None:
        self._api = api
        self._team = team
        self._job = job
        """Its UID."""
        self._progress = progress

    async def answer(self) -> DaskFacts:
        """Wait for the pod, and read its log when it has ended."""
        pod = await self._begun()
        deadline = time.monotonic() + TIMEOUT_S
        while pod["status"]["phase"] not in ENDED:
            if time.monotonic() > deadline:
                why = f"it did not end within {TIMEOUT_S} s"
                return unreadable(why, client_python=self._team.image)
            self._tell(await self._log(pod, most_bytes=BEGINNING_BYTES))
            await asyncio.sleep(LOOK_EVERY_S)
            pod = await self._pod_again(pod)
        return facts_of(pod, await self._log(pod, most_bytes=MOST_BYTES + 1), self._team.image)

    async def _begun(self) -> KubernetesObject:
        made_by = time.monotonic() + MADE_TIMEOUT_S
        begun_by = time.monotonic() + START_TIMEOUT_S
        while True:
            pod = await self._pod()
            if pod is not None and pod.get("status", {}).get("phase") in BEGUN:
                return pod
            if pod is None and time.monotonic() > made_by:
                raise NotAskedError(f"no pod was made: {await self._last_event()}")
            if pod is not None and time.monotonic() > begun_by:
                state = in_short(state_of(pod), LONGEST)
                raise NotAskedError(f"a pod did not start within {START_TIMEOUT_S} s: {state}")
            await asyncio.sleep(LOOK_EVERY_S)

    async def _pod_again(self, pod: KubernetesObject) -> KubernetesObject:
        again = await self._pod()
        if again is None or again["metadata"]["uid"] != pod["metadata"]["uid"]:
            raise NotAskedError(f"pod {pod['metadata']['name']} was removed before it answered")
        return again

    async def _pod(self) -> KubernetesObject | None:
        """Find the Job's own pod; a label that says so is no proof."""
        selector = {"labelSelector": f"batch.kubernetes.io/controller-uid={self._job}"}
        found = await get(self._api, "v1", "pods", params=selector, namespace=self._team.namespace)
        return next((pod for pod in found["items"] if self._is_own(pod)), None)

    def _is_own(self, pod: KubernetesObject) -> bool:
        owners = pod["metadata"].get("ownerReferences") or []
        return any(each.get("controller") and each["uid"] == self._job for each in owners)

    async def _log(self, pod: KubernetesObject, *, most_bytes: int) -> bytes:
        """Read the log's beginning, once it is there: a node may tell of a pod before it has it."""
        deadline = time.monotonic() + LOG_TIMEOUT_S
        while True:
            try:
                async with asyncio.timeout(LOG_TIMEOUT_S):
                    return await self._log_once(pod["metadata"]["name"], most_bytes)
            except _UNREAD as error:
                if time.monotonic() > deadline:
                    said = in_short(f"{state_of(pod)}; {error!r}", LONGEST)
                    name = pod["metadata"]["name"]
                    raise NotAskedError(f"the log of pod {name} cannot be read: {said}") from error
            await asyncio.sleep(LOOK_EVERY_S)

    async def _log_once(self, pod: str, most_bytes: int) -> bytes:
        begun = bytearray()
        async with self._api.call_api(
            "GET",
            version="v1",
            url=f"pods/{pod}/log",
            namespace=self._team.namespace,
            params={"limitBytes": most_bytes},
            headers={"Accept-Encoding": "identity"},
            stream=True,
        ) as response:
            async for chunk in response.aiter_raw():
                begun += chunk
                if len(begun) >= most_bytes:
                    break
        return bytes(begun[:most_bytes])

    def _tell(self, log: bytes) -> None:
        lines = log.decode(errors="replace").splitlines()
        told = [doing[1] for line in lines if (doing := PROGRESS.fullmatch(line))]
        if told:
            self._progress(told[-1])

    async def _last_event(self) -> str:
        """Return why, in the words of the API server; its events are of a few lines."""
        of_job = {"fieldSelector": f"involvedObject.uid={self._job},type=Warning"}
        found = await get(self._api, "v1", "events", params=of_job, namespace=self._team.namespace)
        messages = [event.get("message") or "" for event in found["items"]]
        return in_short(messages[-1], LONGEST) if messages else "nothing says why"
