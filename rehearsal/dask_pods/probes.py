"""Asks a container's probes, each at its time and none waiting for another."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx

from rehearsal.dask_pods.probe_spec import (
    Exec,
    HttpGet,
    NotProbed,
    ProbeCount,
    ProbeKind,
    ProbeSpec,
    TcpSocket,
)


@dataclass(frozen=True, kw_only=True)
class ProbeTarget:
    """Where a container's probes go."""

    loopback: str
    environment: Mapping[str, str]
    directory: Path


class Probes:
    """The probes of one run of a container."""

    def __init__(
        self,
        specs: Sequence[ProbeSpec],
        *,
        target: ProbeTarget,
        client: httpx.AsyncClient,
        now: float,
    ) -> None:
        self._counts = {spec.kind: ProbeCount(spec=spec, started_at=now) for spec in specs}
        self._asking: dict[ProbeKind, tuple[asyncio.Task[str | None], bool]] = {}
        self._target = target
        self._client = client

    @property
    def is_started(self) -> bool:
        """Whether the startup probe, where there is one, has been well."""
        startup = self._counts.get("startup")
        return startup is None or startup.is_well

    @property
    def is_ready(self) -> bool:
        """Whether the container has started and is ready as far as it is asked."""
        readiness = self._counts.get("readiness")
        return self.is_started and (readiness is None or readiness.is_well)

    @property
    def failed(self) -> ProbeSpec | None:
        """The probe for which the container must be killed."""
        for kind in ("startup", "liveness"):
            count = self._counts.get(kind)
            if count is not None and count.has_failed:
                return count.spec
        return None

    async def look(self, now: float) -> None:
        """Take the answers that are there, and ask what is due."""
        for kind, (task, counts) in tuple(self._asking.items()):
            if task.done():
                del self._asking[kind]
                self._take(kind, task.result(), counts=counts)
        for kind, count in self._counts.items():
            if kind not in self._asking and self._is_on(kind) and count.is_due(now):
                counts = count.asked(now)
                asking = asyncio.create_task(ask(count.spec, self._target, self._client))
                self._asking[kind] = (asking, counts)

    def stop(self) -> None:
        """Ask no more."""
        for task, _ in self._asking.values():
            task.cancel()
        self._asking.clear()

    def _is_on(self, kind: ProbeKind) -> bool:
        """The startup probe is asked until it has been well, the others from then on."""
        return self.is_started != (kind == "startup")

    def _take(self, kind: ProbeKind, failure: str | None, *, counts: bool) -> None:
        self._counts[kind].answered(well=failure is None, counts=counts)


async def ask(spec: ProbeSpec, target: ProbeTarget, client: httpx.AsyncClient) -> str | None:
    """Ask once; returns None when all is well, and else what is wrong."""
    try:
        async with asyncio.timeout(spec.timeout_s):
            match spec.handler:
                case HttpGet() as get:
                    return await _http(get, target, client)
                case TcpSocket(port=port):
                    _, writer = await asyncio.open_connection(target.loopback, port)
                    writer.close()
                    return None
                case Exec(argv=argv):
                    return await _exec(argv, target)
                case NotProbed(why=why):
                    return why
    except TimeoutError:
        return f"no answer within {spec.timeout_s:g} s"
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        return f"{type(error).__name__}: {error}"


async def _http(get: HttpGet, target: ProbeTarget, client: httpx.AsyncClient) -> str | None:
    url = f"{get.scheme}://{target.loopback}:{get.port}/{get.path.removeprefix('/')}"
    response = await client.get(url, headers=dict(get.headers))
    if response.is_success or response.is_redirect:
        return None
    return f"HTTP probe failed with statuscode: {response.status_code}"


async def _exec(argv: Sequence[str], target: ProbeTarget) -> str | None:
    process = await asyncio.create_subprocess_exec(
        *argv,
        env=dict(target.environment),
        cwd=target.directory,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        said, _ = await process.communicate()
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    return None if process.returncode == 0 else said.decode("utf-8", "replace").strip()
