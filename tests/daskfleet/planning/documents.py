"""Documents that tests begin with, and the two ways to ask what becomes of one."""

from collections.abc import Mapping
from typing import Any

import pytest

from daskfleet.planning.fleet import plan_draft
from daskfleet.planning.plan import FleetPlan, PoolPlacement
from daskfleet.settings.loading import parse
from daskfleet.settings.problems import StackRefusedError

FILE = "stacks/Pulumi.test.yaml"

Document = dict[str, Any]

Refusal = tuple[Document, str, str, str, str]
"""A document, the key and the value that its error names, words of what that error says is allowed,
and words of its next step."""

RANGES = {
    "nodes_cidr": "10.64.0.0/20",
    "pods_cidr": "10.68.0.0/14",
    "services_cidr": "10.72.0.0/20",
}
EXISTING = {
    "network": "company",
    "subnetwork": "dask",
    "pods_range": "dask-pods",
    "services_range": "dask-services",
}
"""``network`` of a stack in a network that exists: ``{**RANGES, "existing": EXISTING}``."""


def minimal(**changes: Any) -> Document:
    """The smallest stack, with some keys set."""
    return {"project": "example-project", "teams": [{"name": "alpha"}], **changes}


def planned(document: Mapping[str, Any]) -> FleetPlan:
    """The fleet of a document that is in order."""
    return plan_draft(parse(document, file=FILE))


def refused(document: Mapping[str, Any]) -> StackRefusedError:
    """Why a document is refused."""
    with pytest.raises(StackRefusedError) as caught:
        planned(document)
    return caught.value


def pods_on(pool: PoolPlacement) -> int:
    """How many Dask pods a pool carries."""
    return sum(group.count for node in pool.nodes for group in node)


def teams(*documents: Document) -> list[Document]:
    """Teams with names of their own."""
    return [{"name": f"team-{number}", **each} for number, each in enumerate(documents)]
