"""What an update does to one resource, as the engine's events or its digest tell it."""

from dataclasses import dataclass

from daskfleet.catalog.changes import Operation
from daskfleet.planning.changes.rules import Direction, direction_of


@dataclass(frozen=True, kw_only=True)
class PropertyChange:
    """One input that is not what it was."""

    path: str
    """As the engine spells it, for example ``nodeConfig.taints[0].key``."""

    old: object = None
    """The value before; None when it was not there or is not known."""

    new: object = None
    """The value after; None when it is not there or is not known."""

    @property
    def direction(self) -> Direction | None:
        """Whether a number or a list grows or shrinks."""
        return direction_of(self.old, self.new)


@dataclass(frozen=True, kw_only=True)
class ResourceChange:
    """One resource and what is done to it.

    The steps of a replacement (``replace``, ``create-replacement``, ``delete-replaced``) are one
    change with the operation ``replace``.
    """

    type: str
    name: str
    """The logical name."""

    operation: Operation
    parent_type: str = ""
    """The component's type token; a URN has it before the last ``$``."""

    parent: str = ""
    """The component's logical name: the team, the pool."""

    properties: tuple[PropertyChange, ...] = ()
    """For a replacement those that force it; the engine's ``replaceReasons``."""
