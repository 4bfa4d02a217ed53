"""One input of a cluster that changes in place, and what is sent for it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rehearsal.providers.protocol import Properties
from tests.rehearsal.providers.gcp.fleet import CLUSTER, FLEET


@dataclass(frozen=True, kw_only=True)
class Change:
    """One input, or one part of it."""

    name: str
    on: Any
    off: Any
    """None where it has no other value."""
    sent_on: Any
    sent_off: Any
    method: str = ""
    """The cluster's own method for it; without one it is in `update`."""

    def inputs(self, value: Any) -> Properties:
        """Build the top-level input that has the value at the change's path."""
        *parents, last = self.name.split(".")
        wished: Properties = {}
        at = wished
        for parent in parents:
            at[parent] = dict(FLEET[CLUSTER].get(parent, {}))
            at = at[parent]
        at[last] = value
        return wished


def _same(value: Any) -> Any:
    return value


def block(
    name: str, on: Any, off: Any, *, update: str = "", form: Callable[[Any], Any] = _same
) -> Change:
    """Build the change of an input that goes into one field, as it is or in another form."""
    field = update or f"desired{name[0].upper()}{name[1:]}"
    sent_on, sent_off = {field: form(on)}, {field: off if off is None else form(off)}
    return Change(name=name, on=on, off=off, sent_on=sent_on, sent_off=sent_off)


def switch(name: str) -> Change:
    """Build the change of a boolean that is sent as one."""
    return block(name, on=True, off=False)


def message(name: str, update: str, *, off: bool | None = False) -> Change:
    """Build the change of a boolean that is sent in a message of its own."""
    return block(name, on=True, off=off, update=update, form=lambda on: {"enabled": on})


def enabled(name: str, field: str = "enabled", *, update: str = "") -> Change:
    """Build the change of a block of one boolean."""
    return block(name, {field: True}, {field: False}, update=update)
