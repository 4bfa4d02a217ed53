"""Labels by which people allow a change that stops the gate."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from github.Issue import Issue

from daskfleet.catalog.changes import ChangeClass
from daskfleet.platform.review.allowed import SPELLINGS
from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.github.errors import unless_gone

PREFIX = "daskfleet-allow:"


@dataclass(frozen=True)
class Allowances:
    """What the labels of a pull request say."""

    classes: frozenset[ChangeClass]
    unknown: tuple[str, ...]
    """Labels with the prefix that name nothing that needs to be allowed."""


def read_allowances(labels: Iterable[str]) -> Allowances:
    """Return the classes that labels allow, spelled as ``--allow`` takes them."""
    ours = sorted(label for label in labels if label.startswith(PREFIX))
    named = {label: SPELLINGS.get(label.removeprefix(PREFIX)) for label in ours}
    return Allowances(
        frozenset(change for change in named.values() if change is not None),
        tuple(label for label, change in named.items() if change is None),
    )


def labels_of(connection: Connection, issue: Issue) -> list[str]:
    """Return the names of all labels."""
    return connection.insist(
        f"Reading the labels of #{issue.number}",
        lambda: [label.name for label in issue.get_labels()],
    )


def take_back(connection: Connection, issue: Issue, labels: Iterable[str]) -> list[str]:
    """Remove the allowances among the labels, and return them.

    Done when a commit is reviewed for the first time: who set them had seen another one.
    """
    stale = sorted(label for label in labels if label.startswith(PREFIX))
    for label in stale:
        connection.insist(f"Removing the label {label}", partial(_remove, issue, label))
    return stale


def _remove(issue: Issue, label: str) -> None:
    with unless_gone():
        issue.remove_from_labels(label)
