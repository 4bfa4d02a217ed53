"""Reading logs through the API server, as ``kubectl logs`` does."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import httpx
import kr8s.asyncio

from daskfleet.access.declared_fleet import team_in
from daskfleet.access.errors import AccessError, words_of
from daskfleet.access.fleet import REQUEST_TIMEOUT_S, Fleet, fleet_of
from daskfleet.access.kubernetes_api import UNREAD, connected, get
from daskfleet.contract.declared import DeclaredTeam
from daskfleet.pod_status import KubernetesObject
from daskfleet.team.logs.choose import LogsError, chosen, with_an_earlier_run
from daskfleet.team.logs.lines import Lines

MOST_BYTES = 16 * 1024 * 1024
"""Of one pod's log, unless it is followed."""

MOST_FOLLOWED = 50
"""Each is a connection of its own."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Whose log, and what of it."""

    team: str
    stack: str | None
    wanted: str | None
    """``scheduler``, a worker or pod; None for all of the fixed cluster."""
    tail: int
    """Last lines of each."""
    previous: bool
    follow: bool


@dataclass(frozen=True, kw_only=True)
class Reports:
    """Where lines and news go."""

    line: Callable[[str, str], None]
    """A pod's name, empty where there is only one, and a line of its log."""
    news: Callable[[str], None]


def read_logs(project_dir: Path, asked: Asked, reports: Reports) -> None:
    """Read logs to their end, or follow them until interrupted.

    Raises:
        LogsError: none of them could be read.

    """
    try:
        fleet = fleet_of(project_dir, stack=asked.stack, team=asked.team)
        team = team_in(fleet.declared, asked.team)
        asyncio.run(_read(fleet, team, asked, reports))
    except AccessError as error:
        raise LogsError(str(error)) from error


async def _read(fleet: Fleet, team: DeclaredTeam, asked: Asked, reports: Reports) -> None:
    async with connected(fleet.kubeconfig, request_timeout_s=REQUEST_TIMEOUT_S) as api:
        pods = (await get(api, "v1", "pods", namespace=team.namespace))["items"]
        found = chosen(pods, asked.wanted, team=asked.team, cluster=team.dask_cluster)
        if asked.previous:
            found = with_an_earlier_run(found, team=asked.team)
        if asked.follow and len(found) > MOST_FOLLOWED:
            raise LogsError(
                f"These are {len(found)} logs, and at most {MOST_FOLLOWED} can be followed at "
                f"once. "
                "Name the scheduler or a worker."
            )
        logs = [_Log(api, pod, asked, reports, is_alone=len(found) == 1) for pod in found]
        if asked.follow:
            were_read = await asyncio.gather(*(log.read() for log in logs))
        else:
            were_read = [await log.read() for log in logs]
    if not any(were_read):
        raise LogsError("No log could be read.")


class _Log:
    """The log of one pod."""

    def __init__(
        self,
        api: kr8s.asyncio.Api,
        pod: KubernetesObject,
        asked: Asked,
        reports: Reports,
        *,
        is_alone: bool,
    ) -> None:
        self._api = api
        self._asked = asked
        self._reports = reports
        self._namespace: str = pod["metadata"]["namespace"]
        self._pod: str = pod["metadata"]["name"]
        self._container: str = pod["spec"]["containers"][0]["name"]
        self._prefix = "" if is_alone else self._pod

    async def read(self) -> bool:
        """Report all lines, and return whether the log could be read."""
        try:
            await self._read()
        except UNREAD as error:
            self._reports.news(f"{self._pod}: {words_of(error)}")
            return False
        return True

    async def _read(self) -> None:
        lines = Lines()
        async with self._api.call_api(
            "GET",
            version="v1",
            url=f"pods/{self._pod}/log",
            namespace=self._namespace,
            params=self._params(),
            stream=True,
            # A process may be silent for hours.
            timeout=httpx.Timeout(
                REQUEST_TIMEOUT_S, read=None if self._asked.follow else REQUEST_TIMEOUT_S
            ),
        ) as response:
            async for piece in response.aiter_bytes():
                for line in lines.take(piece):
                    self._reports.line(self._prefix, line)
        for line in lines.end():
            self._reports.line(self._prefix, line)

    def _params(self) -> dict[str, str]:
        return {
            "container": self._container,
            "tailLines": str(self._asked.tail),
            **({"previous": "true"} if self._asked.previous else {}),
            **({"follow": "true"} if self._asked.follow else {"limitBytes": str(MOST_BYTES)}),
        }
