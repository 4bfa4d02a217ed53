"""One input of one resource, another value for it, and what the table of classes foretells."""

import re
from dataclasses import dataclass
from typing import Any

from daskfleet.catalog.changes import ChangeClass, ChangeRow, Operation
from daskfleet.planning.changes.resource_change import PropertyChange, ResourceChange
from daskfleet.planning.changes.rules import Direction, row_of
from tests.rehearsal.end_to_end.input_changes import types as t

DIRECTIONS: dict[Direction | None, tuple[int, int]] = {"grows": (1, 2), "shrinks": (2, 1)}
"""Numbers that stand for old and new ones."""


@dataclass(frozen=True, kw_only=True)
class InputChange:
    """One input of one resource of the rehearsal's stack, and another value for it."""

    type: str
    name: str
    path: str
    """As the engine spells it."""

    value: Any
    operation: Operation | None = None
    """Which of several rows for the path is meant."""

    direction: Direction | None = None
    is_workers: bool = False
    """Whether the value is set as the team's ``workers``: the program waits for so many pods, and
    would wait for the old number if only the DaskCluster's input changed."""

    only_preview: str = ""
    """Why it is not carried out."""

    replaced_with_it: tuple[tuple[str, str], ...] = ()
    """What is replaced together with the resource, by type and name."""

    along: tuple["InputChange", ...] = ()
    """What must change with it for the value to be valid."""

    parent: tuple[str, str] = ("", "")
    """Type token and name of the component."""

    @property
    def row(self) -> ChangeRow:
        """What is foretold."""
        return row_of(
            self.type,
            self.path,
            name=self.name,
            operation=self.operation,
            direction=self.direction,
        )

    @property
    def steps(self) -> list[str | int]:
        """The path as keys and positions."""
        parts = re.findall(r'\["((?:\\.|[^"])*)"\]|\[(\d+)\]|([^.\[\]]+)', self.path)
        return [quoted or plain or int(position) for quoted, position, plain in parts]

    @property
    def foretold(self) -> ResourceChange:
        """The engine's change, as the table has it."""
        parent_type, parent = self.parent
        old, new = DIRECTIONS.get(self.direction, (None, None))
        return ResourceChange(
            type=self.type,
            name=self.name,
            operation=self.row.operation,
            parent_type=parent_type,
            parent=parent,
            properties=(PropertyChange(path=self.path, old=old, new=new),),
        )

    @property
    def cascades(self) -> bool:
        """Whether other resources are replaced with this one."""
        is_another = self.row.change_class >= ChangeClass.REPLACES_CLUSTER
        return (self.row.operation == "replace" or is_another) and self.type in t.OTHERS_HANG_ON

    @property
    def shown_with_it(self) -> set[tuple[str, str]]:
        """What a preview shows as changed too, by type and name.

        It does not know the outputs of what is replaced; the update finds them unchanged.
        """
        _, parent = self.parent
        is_shown = self.type in {t.DASK, t.GROUP} and self.row.operation == "replace"
        return {(t.ADDRESS, f"{parent}-address")} if is_shown else set()

    def __str__(self) -> str:
        """The test's name."""
        return f"{self.type.rpartition(':')[2]}-{self.path}"
