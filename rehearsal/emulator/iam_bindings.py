"""What holds for the IAM policy of every resource (cloud.google.com/iam/docs/policies). Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rehearsal.emulator.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rehearsal.emulator.document import Document

WITH_CONDITIONS = 3
"""Version of a policy that has conditions."""


def version_of(bindings: Sequence[Document]) -> int:
    """Return the version of a policy with these bindings."""
    return WITH_CONDITIONS if any("condition" in each for each in bindings) else 1


def wished_bindings(policy: Document) -> list[Document]:
    """Return the bindings of a policy that a client sets, less those without members.

    Raises InvalidArgumentError when there are conditions, and the version says that there are none.
    """
    bindings = [each for each in policy.get("bindings", ()) if each.get("members")]
    if version_of(bindings) == WITH_CONDITIONS != policy.get("version"):
        raise InvalidArgumentError(f"A policy with conditions must have version {WITH_CONDITIONS}.")
    return bindings
