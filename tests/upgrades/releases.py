"""The releases of daskfleet, as ``releases.yaml`` lists them."""

import subprocess
import tarfile
from fnmatch import fnmatchcase
from io import BytesIO
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from tests.project import PROJECT_DIR
from tests.upgrades.planned_changes import PlannedChange

FILE = Path(__file__).with_name("releases.yaml")


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ExplainedChange(_Entry):
    """Something that an upgrade changes, and why."""

    operation: str
    type: str
    name: str
    """A glob over logical names."""

    properties: tuple[str, ...] = ()
    """Globs over property paths; all that differs must match one of them."""

    reason: str = Field(min_length=20)

    def explains(self, change: PlannedChange) -> bool:
        """Whether this is the change that was meant."""
        return (
            (self.operation, self.type) == (change.operation, change.type)
            and fnmatchcase(change.name, self.name)
            and all(
                any(fnmatchcase(path, glob) for glob in self.properties)
                for path in change.properties
            )
        )


class Release(_Entry):
    """A release, and what the upgrade from it to the present program changes."""

    version: str = Field(pattern=r"^v\d+\.\d+\.\d+$")
    commit: str = Field(pattern=r"^[0-9a-f]{40}$")
    changes: tuple[ExplainedChange, ...]
    restarts_pods: str | None = Field(default=None, min_length=20)
    """Why Dask's pods start anew in the upgrade; nothing where they go on."""


def releases() -> tuple[Release, ...]:
    """All releases, oldest first."""
    listed = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return tuple(TypeAdapter(list[Release]).validate_python(listed))


def tagged_versions() -> dict[str, str]:
    """Each tag of a version, with its commit, that this clone knows.

    Not the tag of this very commit: a release cannot list itself, and is tested when it is tagged.
    """
    form = "--format=%(refname:short) %(objectname) %(*objectname)"
    refs = _git("for-each-ref", "--no-contains=HEAD", form, "refs/tags/v*")
    tags = (line.split() for line in refs.decode().splitlines())
    # The last is the commit that an annotated tag points to; a plain tag has none.
    return {fields[0]: fields[-1] for fields in tags}


def check_out(release: Release, directory: Path) -> Path:
    """Write the release's files into a new directory and return it."""
    try:
        archive = _git("archive", "--format=tar", release.commit)
    except subprocess.CalledProcessError as error:
        raise AssertionError(
            f"This clone does not have commit {release.commit} of {release.version}: fetch the "
            "history with `git fetch --unshallow --tags`, or fetch-depth: 0 in a workflow."
        ) from error
    target = directory / release.version
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        files.extractall(target, filter="data")
    return target


def _git(*arguments: str) -> bytes:
    return subprocess.run(
        ["git", *arguments],  # noqa: S607 - whichever git made this clone
        cwd=PROJECT_DIR,
        capture_output=True,
        check=True,
    ).stdout
