"""What the `pulumi` on PATH says: its version, its backend, its stacks, its plugins."""

import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from daskfleet.access.kubeconfig import Kubeconfig, kubeconfig_in
from daskfleet.access.pulumi_cli import Pulumi, quoted
from daskfleet.access.pulumi_state import State, state_resources
from daskfleet.platform.doctor.commands import ended
from daskfleet.platform.doctor.errors import NotLookedAtError


class CliOutput(BaseModel):
    """A part of what the CLI prints as JSON."""

    model_config = ConfigDict(frozen=True)


class Backend(CliOutput):
    """Where the state is, and as whom."""

    user: str = ""
    url: str


class StackSummary(CliOutput):
    """A stack of the backend."""

    name: str
    updateInProgress: bool = False  # noqa: N815 - the CLI's name; only Pulumi Cloud tells it


class Plugin(CliOutput):
    """A plugin that is installed."""

    name: str
    kind: str
    version: str | None = None


class PulumiRefusedError(NotLookedAtError):
    """A command ended with an error; the text is its own."""


_STACKS = TypeAdapter(tuple[StackSummary, ...])
_PLUGINS = TypeAdapter(tuple[Plugin, ...])


class Answers:
    """What the one on PATH says in this project, with the login that the environment has."""

    def __init__(self, environment: Mapping[str, str], project_dir: Path) -> None:
        self._pulumi = Pulumi(project_dir=project_dir, environment=environment)

    async def version(self) -> str:
        """Return the version, as in ``v3.256.0``."""
        return (await self._output("version")).strip()

    async def backend(self) -> Backend:
        """Return the backend that the CLI is logged in to."""
        return Backend.model_validate_json(await self._output("whoami", "--verbose", "--json"))

    async def stacks(self) -> tuple[StackSummary, ...]:
        """Return this project's stacks."""
        return _STACKS.validate_json(await self._output("stack", "ls", "--json"))

    async def plugins(self) -> tuple[Plugin, ...]:
        """Return the plugins that are installed."""
        return _PLUGINS.validate_json(await self._output("plugin", "ls", "--json"))

    async def state_ids(self, stack: str) -> frozenset[str]:
        """Return the provider's IDs of all resources of a stack. No secret is decrypted."""
        exported = await self._state(stack)
        return frozenset(str(each["id"]) for each in state_resources(exported) if each.get("id"))

    async def kubeconfig(self, stack: str) -> Kubeconfig | None:
        """Return how a stack's cluster is reached; None before there is one.

        Raises:
            AccessError: the state does not say it in a form that is known.

        """
        return kubeconfig_in(await self._state(stack))

    async def _state(self, stack: str) -> State:
        exported: State = json.loads(await self._output("stack", "export", "--stack", stack))
        return exported

    async def _output(self, *arguments: str) -> str:
        running = self._pulumi.started(*arguments)
        done = await ended(f"pulumi {' '.join(arguments)}", running)
        if done.status != 0:
            raise PulumiRefusedError(quoted(done.said or done.output).removeprefix("error: "))
        return done.output
