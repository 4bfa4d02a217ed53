"""Secrets that a team's pods get, by their names."""

from typing import Literal

from daskfleet.settings.base import Settings
from daskfleet.settings.names import SecretName


class TeamSecret(Settings):
    """A Secret in the team's namespace that somebody else makes."""

    name: SecretName
    """The Secret's name. What it holds is not in the stack file, and not in Pulumi's state."""

    kind: Literal["files", "environment"] = "files"
    """How pods get it. ``files``: each key is a file in ``/var/run/secrets/team/<name>``, which
    follows the Secret. ``environment``: each key is a variable, as it was when the pod started."""
