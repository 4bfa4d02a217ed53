"""The fleet that the sample reviews are about: prod's pools and teams, at prices that stay."""

from datetime import UTC, date, datetime
from fractions import Fraction
from typing import Literal

from daskfleet.planning.changes.consequence import Consequence
from daskfleet.planning.changes.consequences import consequences
from daskfleet.planning.changes.resource_change import PropertyChange, ResourceChange
from daskfleet.planning.cost_lines import Cost, CostLine, CostShare
from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.review.model import PlacementLine, PropertyDiff, Step
from tests.daskfleet.planning.documents import planned

Operation = Literal["create", "update", "replace", "delete"]
OPERATIONS: dict[str, Operation] = {
    "create": "create",
    "update": "update",
    "replace": "replace",
    "delete": "delete",
}

MADE_AT = datetime(2026, 11, 21, 9, 41, tzinfo=UTC)
COMMIT = "7f3c2a91be04d5566c1d9e3f8a7b6c5d4e3f2a10"

POOL = "gcp:container/nodePool:NodePool"
DASK_CLUSTER = "kubernetes:kubernetes.dask.org/v1:DaskCluster"

PARENT_TYPES = {
    POOL: "daskfleet:gke:NodePool",
    DASK_CLUSTER: "daskfleet:dask:DaskCluster",
    "kubernetes:apps/v1:DaemonSet": "daskfleet:gke:NvidiaDriver",
    "kubernetes:core/v1:ResourceQuota": "daskfleet:dask:Team",
    "kubernetes:core/v1:Namespace": "daskfleet:dask:Team",
    "kubernetes:core/v1:Service": "daskfleet:dask:DaskCluster",
    "kubernetes:helm.sh/v3:Release": "daskfleet:dask:DaskOperator",
    "gcp:container/cluster:Cluster": "daskfleet:gke:GkeCluster",
    "gcp:compute/network:Network": "daskfleet:gke:Network",
    "gcp:compute/subnetwork:Subnetwork": "daskfleet:gke:Network",
    "gcp:serviceaccount/account:Account": "daskfleet:gke:NodeServiceAccount",
}


def prod() -> FleetPlan:
    """Three worker pools, four teams."""
    return planned(
        {
            "project": "example-dask-prod",
            "location": "us-central1",
            "node_zone": "us-central1-c",
            "scheduler_pool": {
                "machine_type": "n1-standard-8",
                "node_count": 2,
                "schedulers_per_gpu": 4,
            },
            "worker_pools": [
                {
                    "name": "a100",
                    "machine_type": "a2-highgpu-4g",
                    "gpus_per_node": 4,
                    "node_count": 3,
                },
                {
                    "name": "l4",
                    "machine_type": "g2-standard-12",
                    "accelerator": "nvidia-l4",
                    "gpus_per_node": 1,
                    "autoscaling": {"min_nodes": 0, "max_nodes": 6},
                },
            ],
            "image": "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13",
            "driver": {"install": "daemonset", "version": "580.126.20"},
            "teams": [
                {"name": "climate", "workers": 8, "worker_pool": "a100"},
                {"name": "fraud", "workers": 4, "worker_pool": "a100"},
                {"name": "marketing", "workers": 4, "worker_pool": "l4"},
            ],
        }
    )


PLACEMENT = (
    PlacementLine(pool="scheduler-pool", used=3, room=8, unit="scheduler slots"),
    PlacementLine(pool="a100", used=12, room=12, unit="A100"),
    PlacementLine(pool="l4", used=4, room=6, unit="L4"),
)

COST = Cost(
    lines=(
        CostLine(item="gke-cluster", usd_per_hour_each=0.10, idle=1, full=1),
        CostLine(item="cloud-nat", usd_per_hour_each=0.0014, idle=1, full=1),
        CostLine(item="system-pool", usd_per_hour_each=0.15, idle=2, full=3),
        CostLine(item="scheduler-pool", usd_per_hour_each=0.74, idle=2, full=2),
        CostLine(item="a100", usd_per_hour_each=14.73, idle=3, full=3),
        CostLine(item="l4", usd_per_hour_each=1.01, idle=0, full=6),
    ),
    priced_on=date(2026, 7, 29),
    notes=(
        "List prices: no sustained-use, committed-use or negotiated discounts.",
        "Not included: network traffic, logs and metrics beyond the free amount.",
    ),
    shares=(
        CostShare(kind="team", team="climate", idle=Fraction("29.95"), full=Fraction("29.95")),
        CostShare(kind="team", team="fraud", idle=Fraction("15.22"), full=Fraction("15.22")),
        CostShare(kind="team", team="marketing", idle=Fraction("0.49"), full=Fraction("4.53")),
        CostShare(kind="unused", team="", idle=Fraction(0), full=Fraction("2.02")),
        CostShare(kind="platform", team="", idle=Fraction("0.40"), full=Fraction("0.55")),
    ),
)
IDLE_USD, FULL_USD = 33_706.0, 38_239.0


def diff(path: str, old: str, new: str, *, forces: bool = False) -> PropertyDiff:
    """An input that changes."""
    return PropertyDiff(path=path, kind="update", forces_replacement=forces, old=old, new=new)


def step(operation: Operation, type_: str, name: str, parent: str, *diffs: PropertyDiff) -> Step:
    """A resource of one of our components."""
    parent_type = PARENT_TYPES.get(type_, "daskfleet:dask:Team")
    return Step(
        urn=f"urn:pulumi:prod::daskfleet::{parent_type}${type_}::{name}",
        type=type_,
        name=name,
        operation=operation,
        parent_type=parent_type,
        parent=parent,
        diffs=diffs,
    )


def consequences_of(*steps: Step) -> tuple[Consequence, ...]:
    """What planning says of steps."""
    return consequences([_change(each) for each in steps], prod())


def _change(each: Step) -> ResourceChange:
    forcing = [one for one in each.diffs if one.forces_replacement] or each.diffs
    return ResourceChange(
        type=each.type,
        name=each.name,
        operation=OPERATIONS[each.operation],
        parent_type=each.parent_type,
        parent=each.parent,
        properties=tuple(
            PropertyChange(path=one.path, old=one.old, new=one.new) for one in forcing
        ),
    )
