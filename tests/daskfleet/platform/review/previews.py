"""Previews and steps that tests judge."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.review.assess import assess
from daskfleet.platform.review.model import Preview, PropertyDiff, Review, Step
from tests.daskfleet.platform.review.engine_steps import CLUSTER, POOL, PROVIDER, urn_of

MADE_AT = datetime(2026, 11, 21, 18, 0, tzinfo=UTC)
DASK_CLUSTER = "kubernetes:kubernetes.dask.org/v1:DaskCluster"
OWNERS = {
    CLUSTER: ("daskfleet:gke:GkeCluster", "cluster"),
    DASK_CLUSTER: ("daskfleet:dask:DaskCluster", "alpha"),
    POOL: ("daskfleet:gke:NodePool", "a100"),
    PROVIDER: ("daskfleet:gke:KubernetesProvider", "kubernetes"),
}


def step(operation: Any, kind: str = POOL, *paths: str, name: str = "", **more: Any) -> Step:
    """A step on a resource of the fleet of tests/components/fleets.py; the paths force it."""
    parent_type, parent = OWNERS[kind]
    named = name or f"{parent}-{kind.rpartition(':')[2].lower()}"
    options = {"parent_type": parent_type, "parent": parent, **more}
    return Step(
        urn=urn_of(kind, named),
        type=kind,
        name=named,
        operation=operation,
        diffs=tuple(
            PropertyDiff(path=path, kind="update", forces_replacement=operation == "replace")
            for path in paths
        ),
        **options,
    )


def preview(*steps: Step, **more: Any) -> Preview:
    return Preview(**{"project": "daskfleet", "stack": "dev", "unchanged": 40, **more}, steps=steps)


def judged(of: Preview, plan: FleetPlan | None, allowed: Sequence[ChangeClass] = ()) -> Review:
    return assess(of, plan, commit="0123abc", made_at=MADE_AT, allowed=frozenset(allowed))
