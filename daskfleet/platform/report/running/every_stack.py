"""Every stack of the project, one after the other; one that cannot be read hides no other."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from daskfleet.access.errors import AccessError
from daskfleet.contract.seen import SeenPart
from daskfleet.platform.doctor.errors import NotLookedAtError
from daskfleet.platform.doctor.pulumi_cli import Answers
from daskfleet.platform.report.running.gather import GatherError
from daskfleet.platform.report.running.model import FleetView, SourceName
from daskfleet.platform.report.running.reading import read
from daskfleet.platform.report.running.told import Told


class SeenStack(SeenPart):
    """One look at one stack."""

    stack: str
    """As Pulumi names it."""
    asked_at: datetime
    why_not: Told = ""
    """Why it could not be read; empty when it was."""
    view: FleetView | None = None
    """None: it could not be read."""


async def stack_names(project_dir: Path, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the stacks of the project, by name.

    Raises:
        GatherError: they cannot be listed, or there is none.

    """
    try:
        found = await Answers(environment, project_dir).stacks()
    except (AccessError, NotLookedAtError) as error:
        raise GatherError(f"The stacks of the project cannot be listed: {error}") from error
    except ValidationError as error:
        raise GatherError(
            "The stacks of the project cannot be listed: `pulumi stack ls --json` prints "
            "something else than a list of stacks. See what it prints."
        ) from error
    if not found:
        raise GatherError(
            "The project has no stack in the backend that pulumi is logged in to. "
            "`pulumi whoami --verbose` says which one that is."
        )
    return tuple(sorted({each.name for each in found}))


async def look_at(stack: str, look: Callable[[str], Awaitable[FleetView]]) -> SeenStack:
    """Look at one stack, whatever comes of it."""
    # Nothing is known of a fleet without its state, so whatever fails is told in its place.
    reading = await read(SourceName.STATE, look(stack))
    return SeenStack(
        stack=stack,
        asked_at=reading.source.read_at,
        why_not=reading.source.why_not,
        view=reading.value,
    )
