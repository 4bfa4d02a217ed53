"""What a supervisor leaves when it has come to rest, for the one that goes on: ``at-rest.json``."""

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from daskfleet.files import write_private_file
from rehearsal.control_plane import DaskMode
from rehearsal.errors import RehearsalError
from rehearsal.toolchain.releases import releases

FORMAT = 1
"""Moved by whoever changes what is written here, or what the emulator means by it."""

DATABASE_OF = ("etcd", "kubernetes")
"""Whose data lies in the stage: another version reads it, or does not."""


class MadeBy(BaseModel):
    """The part that decides whether the rest can be read."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    format: int
    versions: dict[str, str]
    """Of those whose data it is, by name."""


class AtRest(MadeBy):
    """The whole of ``at-rest.json``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    directory: Path
    """Of the stage."""
    port: int
    """Where the emulated Google APIs answer; links in resources and in Pulumi's state have it."""
    latency: str
    dask: DaskMode
    emulator: dict[str, Any]
    """What the emulator kept."""

    def write(self, path: Path) -> None:
        """Write it for the owner alone: it is all of a project, access policies included."""
        write_private_file(path, self.model_dump_json().encode())


def made_here() -> dict[str, Any]:
    """Return the fields of ``MadeBy`` for what this release of daskfleet writes."""
    pinned = releases()
    return {"format": FORMAT, "versions": {name: pinned[name].version for name in DATABASE_OF}}


def read_at_rest(path: Path) -> AtRest:
    """Read what another supervisor has left.

    Raises:
        RehearsalError: another release of daskfleet has written it, or it is damaged.

    """
    content = path.read_bytes()
    here = MadeBy(**made_here())
    try:
        made_by = MadeBy.model_validate_json(content)
        if made_by == here:
            return AtRest.model_validate_json(content)
    except ValidationError as error:
        raise RehearsalError(f"{path} cannot be read: {error}") from error
    raise RehearsalError(
        f"{path} was written by another release of daskfleet ({_told(made_by)}; this one has "
        f"{_told(here)}) and cannot be used."
    )


def _told(made_by: MadeBy) -> str:
    versions = (f"{name} {version}" for name, version in sorted(made_by.versions.items()))
    return ", ".join((f"format {made_by.format}", *versions))
