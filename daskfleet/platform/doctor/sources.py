"""What several look-ups ask for: token, backend, stack, and what the stack has."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import httpx

from daskfleet.google_cloud.access import NoAccessError, get_access
from daskfleet.google_cloud.bearer import Access
from daskfleet.platform.doctor.commands import find
from daskfleet.platform.doctor.errors import NotLookedAtError
from daskfleet.platform.doctor.google_api import GoogleApi
from daskfleet.platform.doctor.pulumi_cli import Answers, Backend, StackSummary
from daskfleet.platform.doctor.state import find_stack


class Sources:
    """Each is fetched once, and awaited by whoever needs it."""

    def __init__(
        self,
        http: httpx.AsyncClient,
        *,
        stack: str,
        environment: Mapping[str, str],
        project_dir: Path,
    ) -> None:
        self._stack = stack
        self.pulumi = Answers(environment, project_dir) if find("pulumi", environment) else None
        self.access = asyncio.create_task(_access(environment))
        self.google = asyncio.create_task(self._google(http, environment))
        self.backend = asyncio.create_task(self._backend())
        self.stacks = asyncio.create_task(self._stacks())
        self.summary = asyncio.create_task(self._summary())
        self.own = asyncio.create_task(self._own())

    def cancel(self) -> None:
        """End what is still under way."""
        for task in (self.access, self.google, self.backend, self.stacks, self.summary, self.own):
            task.cancel()

    async def _google(self, http: httpx.AsyncClient, environment: Mapping[str, str]) -> GoogleApi:
        access = await self.access
        if isinstance(access, NoAccessError):
            raise NotLookedAtError("there is no token for Google Cloud")
        return GoogleApi(http, environment=environment, access=access)

    def required_pulumi(self) -> Answers:
        """The CLI. Raises NotLookedAtError when there is none."""
        if self.pulumi is None:
            raise NotLookedAtError("there is no `pulumi` on PATH")
        return self.pulumi

    async def _backend(self) -> Backend:
        return await self.required_pulumi().backend()

    async def _stacks(self) -> tuple[StackSummary, ...]:
        try:
            await self.backend
        except NotLookedAtError as error:
            raise NotLookedAtError("the backend of the state cannot be reached") from error
        return await self.required_pulumi().stacks()

    async def _summary(self) -> StackSummary | None:
        return find_stack(self._stack, await self.stacks)

    async def _own(self) -> frozenset[str] | None:
        """IDs of everything that the stack has; None when the state could not be read."""
        try:
            summary = await self.summary
            if summary is None:
                return frozenset()
            return await self.required_pulumi().state_ids(summary.name)
        except (NotLookedAtError, ValueError):
            return None


async def _access(environment: Mapping[str, str]) -> Access | NoAccessError:
    try:
        return await asyncio.to_thread(get_access, environment)
    except NoAccessError as error:
        return error
