"""What the program posts in a team's namespace, for members who have a kubeconfig and no more."""

from typing import Final, Literal

from daskfleet.contract.declared import DeclaredFleet

CONFIG_MAP = "daskfleet"
KEY = "notice.json"
"""The one key of the ConfigMap."""

FORMAT: Final = 1
"""Raised by a change that readers of this format would misunderstand; a new key is none."""


class Notice(DeclaredFleet):
    """The document: one team, the pools that it uses, and where all of it comes from.

    Nothing in it is secret: it has names of Secrets, and the team's members may read it.
    """

    format: Literal[1]
    stack: str
    release: str
    """Of the program that has written it."""
