"""The two sides of a change, as files that the rehearsal can run."""

from dataclasses import dataclass
from pathlib import Path

from daskfleet.platform.review.rehearsal_run.errors import NothingToSayError, RevisionError
from daskfleet.platform.review.rehearsal_run.pins import OtherPin, other_pins
from daskfleet.platform.review.rehearsal_run.revisions import Revision, Revisions
from daskfleet.platform.review.rehearsal_run.settings_file import not_rehearsed, write_for_rehearsal
from daskfleet.platform.review.rehearsal_run.trees import write_tree


@dataclass(frozen=True, kw_only=True)
class Side:
    """One revision's program, and its settings of the stack."""

    revision: Revision
    tree: Path
    """Where ``Pulumi.yaml`` is."""

    stack_file: Path
    """As the revision has it; it need not exist."""

    settings: Path
    """As they are rehearsed."""

    other_pins: tuple[OtherPin, ...]

    @property
    def has_stack(self) -> bool:
        """Whether there is such an environment at this revision."""
        return self.stack_file.is_file()


@dataclass(frozen=True, kw_only=True)
class Sides:
    """Where a change begins and ends."""

    base: Side
    head: Side

    @property
    def notes(self) -> tuple[str, ...]:
        """What the names of two commits do not tell."""
        found = []
        if not self.base.has_stack:
            found.append("the stack is new: nothing was there before")
        if self.head.revision.is_working_tree:
            found.append(f"applied was the working tree: {self.head.revision}")
        return tuple(found)

    @property
    def stood_in(self) -> tuple[str, ...]:
        """What the revisions ask for and the rehearsal does otherwise."""
        found = []
        if self.base.has_stack and self.base.other_pins:
            found.append(
                f"packages of {self.base.revision}: it ran with those of "
                f"{self.head.revision} ({', '.join(map(str, self.base.other_pins))}), so what the "
                "other versions change by themselves is not shown"
            )
        if self.base.has_stack and self.head.has_stack:
            found += [
                f"{setting}: the change sets it, and a rehearsal has a value of its own"
                for setting in not_rehearsed(self.base.stack_file, self.head.stack_file)
            ]
        return tuple(found)


def write_sides(revisions: Revisions, directory: Path, *, stack: str, project_dir: Path) -> Sides:
    """Write the files of both revisions.

    Raises:
        RevisionError: git refused, or neither revision has the stack.
        NothingToSayError: what would run is not what HEAD pins.
    """
    base, head = (
        _write(revision, directory / name, stack=stack, project_dir=project_dir)
        for name, revision in (("base", revisions.base), ("head", revisions.head))
    )
    if not base.has_stack and not head.has_stack:
        raise RevisionError(
            f"Neither {revisions.base} nor {revisions.head} has stacks/Pulumi.{stack}.yaml. "
            "Choose another stack with --stack."
        )
    if head.other_pins:
        raise NothingToSayError(
            f"{revisions.head} pins other packages than this checkout's virtual environment has: "
            f"{', '.join(map(str, head.other_pins))}. It would run with other packages than it "
            f"declares. Run the command in a checkout of {revisions.head}, after `make setup` "
            f"there."
        )
    return Sides(base=base, head=head)


def _write(revision: Revision, directory: Path, *, stack: str, project_dir: Path) -> Side:
    tree = write_tree(revision, directory / "tree", project_dir=project_dir)
    stack_file = tree / "stacks" / f"Pulumi.{stack}.yaml"
    settings = directory / "settings.yaml"
    if stack_file.is_file():
        write_for_rehearsal(stack_file, settings)
    return Side(
        revision=revision,
        tree=tree,
        stack_file=stack_file,
        settings=settings,
        other_pins=other_pins(tree),
    )
