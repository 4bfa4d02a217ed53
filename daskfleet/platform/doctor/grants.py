"""Pure: the gcloud command that grants a role, for whoever administers what it is granted on."""

import shlex
from collections.abc import Mapping

ANYBODY = "user:YOU@EXAMPLE.COM"
"""Stands in the command where nobody knows whose credentials these are."""


def binding_command(
    collection: str,
    name: str,
    *,
    member: str | None,
    role: str,
    where: Mapping[str, str] | None = None,
) -> str:
    """Grant ``role`` on one resource; ``collection`` is gcloud's group of commands for its kind.

    ``where`` has the flags that say where it is, such as ``project`` and ``location``.
    """
    given = flags({**(where or {}), "member": member or ANYBODY, "role": role})
    return f"gcloud {collection} add-iam-policy-binding {shlex.quote(name)} {given}"


def flags(values: Mapping[str, str]) -> str:
    """Write flags as a shell reads them, by name."""
    return " ".join(f"--{name}={shlex.quote(value)}" for name, value in values.items())
