"""One review of each kind; their comments are the golden samples."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from daskfleet.catalog.changes import ChangeClass
from daskfleet.platform.review.model import (
    CostChange,
    Discrepancy,
    Gate,
    PolicyFinding,
    PoolNodes,
    Rehearsed,
    Review,
    Verdict,
)
from tests.daskfleet.platform.review.sample_fleet import (
    COMMIT,
    COST,
    DASK_CLUSTER,
    FULL_USD,
    IDLE_USD,
    MADE_AT,
    PLACEMENT,
    POOL,
    consequences_of,
    diff,
    step,
)

SAME_COST = CostChange(
    idle_before=IDLE_USD,
    idle_after=IDLE_USD,
    full_before=FULL_USD,
    full_after=FULL_USD,
    estimate=COST,
    saved_by_cheap_schedulers=6_950.0,
    budget=45_000.0,
)
PROTECTED = """\
daskfleet:dask:Protection (fraud-first-set-retire-to-true-and-run-up):
    error: resource "urn:pulumi:prod::daskfleet::daskfleet:dask:Protection::fraud-first-set-retire-\
to-true-and-run-up" cannot be deleted
because it is marked for protection. To unprotect it, remove the `protect` flag and run `up`.\
"""
IMAGE = "nvcr.io/nvidia/rapidsai/base:26.{}-cuda12-py3.13"


def no_change() -> Review:
    """A comment in the README was edited."""
    return Review(
        project="daskfleet",
        stack="prod",
        commit=COMMIT,
        made_at=MADE_AT,
        verdict=Verdict.NO_CHANGE,
        because="88 resources stay as they are",
        counts={"unchanged": 88},
        consequences=(),
        cost=SAME_COST,
        placement=(),
        policies=(),
        warnings=(),
        errors=(),
        steps=(),
        gate=Gate(passes=True, why="Nothing is destroyed"),
    )


def safe() -> Review:
    """Team marketing gets two more workers, and pool l4 may grow for them."""
    pool = step("update", POOL, "l4-nodes", "l4", diff("autoscaling.maxNodeCount", "6", "8"))
    workers = step(
        "update",
        DASK_CLUSTER,
        "marketing-dask-cluster",
        "marketing",
        diff("spec.worker.replicas", "4", "6"),
    )
    quota = step(
        "update",
        "kubernetes:core/v1:ResourceQuota",
        "marketing-quota",
        "marketing",
        diff('spec.hard["requests.nvidia.com/gpu"]', "5", "7"),
    )
    return replace(
        no_change(),
        verdict=Verdict.SAFE,
        because="Nothing that runs is touched; the ceiling of the cost rises.",
        counts={"update": 3, "unchanged": 85},
        consequences=consequences_of(pool, workers, quota),
        cost=replace(SAME_COST, full_after=FULL_USD + 1_501),
        placement=(*PLACEMENT[:2], replace(PLACEMENT[2], used=6, room=8)),
        steps=(pool, workers, quota),
        gate=Gate(passes=True, why="Nothing is destroyed"),
    )


def needs_care() -> Review:
    """Team fraud gets another image."""
    old, new = IMAGE.format("08"), IMAGE.format("10")
    fraud = step(
        "replace",
        DASK_CLUSTER,
        "fraud-dask-cluster",
        "fraud",
        diff("spec.worker.spec.containers[0].image", old, new, forces=True),
        diff("spec.scheduler.spec.containers[0].image", old, new, forces=True),
    )
    service = step(
        "update",
        "kubernetes:core/v1:Service",
        "fraud-dask",
        "fraud",
        diff('spec.selector["daskfleet/generation"]', "4b8e01", "(known after up)"),
    )
    return replace(
        no_change(),
        verdict=Verdict.NEEDS_CARE,
        because="The Dask cluster of team fraud rolls: 4 workers, running work is lost.",
        counts={"replace": 1, "update": 1, "unchanged": 86},
        consequences=consequences_of(fraud, service),
        placement=PLACEMENT,
        policies=(
            PolicyFinding(
                pack="daskfleet",
                policy="images-are-pinned",
                level="advisory",
                message=(
                    "The image of team fraud is named by a tag, which may be moved; a digest is "
                    "always the same image."
                ),
                resource="DaskCluster fraud-dask-cluster",
            ),
        ),
        warnings=(
            "Clients of team fraud must run RAPIDS 26.10 too, as soon as the scheduler is new.",
        ),
        steps=(fraud, service),
        gate=Gate(passes=True, why="Nothing is destroyed"),
    )


def destroys() -> Review:
    """Pool a100 gets other GPUs, and marketing another image."""
    pool = step(
        "replace",
        POOL,
        "a100-nodes",
        "a100",
        diff(
            "nodeConfig.guestAccelerators[0].type",
            "nvidia-tesla-a100",
            "nvidia-a100-80gb",
            forces=True,
        ),
        diff("nodeConfig.machineType", "a2-highgpu-4g", "a2-ultragpu-4g", forces=True),
    )
    pool = replace(
        pool,
        nodes_before=PoolNodes(machine_type="a2-highgpu-4g", least=3, most=3),
        nodes_after=PoolNodes(machine_type="a2-ultragpu-4g", least=3, most=3),
    )
    old, new = IMAGE.format("08"), IMAGE.format("10")
    team = step(
        "replace",
        DASK_CLUSTER,
        "marketing-dask-cluster",
        "marketing",
        diff("spec.worker.spec.containers[0].image", old, new, forces=True),
    )
    driver = step(
        "update",
        "kubernetes:apps/v1:DaemonSet",
        "nvidia-driver-installer",
        "driver",
        diff(
            "spec.template.spec.initContainers[0].image", "installer:580.105", "installer:580.126"
        ),
    )
    return replace(
        no_change(),
        verdict=Verdict.DESTROYS,
        because="Pool a100 is replaced: 12 A100 go back to the zone, and may not be there again.",
        counts={"replace": 2, "update": 1, "unchanged": 85},
        consequences=consequences_of(pool, team, driver),
        cost=replace(SAME_COST, idle_after=IDLE_USD + 8_820, full_after=FULL_USD + 8_820),
        placement=PLACEMENT,
        policies=(
            PolicyFinding(
                pack="daskfleet",
                policy="monthly-budget",
                level="mandatory",
                message="The ceiling of 47,059 USD a month is above the budget of 45,000.",
            ),
        ),
        warnings=(
            "Deletion protection refuses this: set daskfleet:long_lived to false and run up first.",
            "No A100 80GB is reserved for this project: a stock-out leaves the pool empty.",
        ),
        steps=(pool, team, driver),
        gate=Gate(
            passes=False,
            why="A policy refuses it: monthly-budget",
            missing=(ChangeClass.REPLACES_POOL,),
        ),
    )


def failed() -> Review:
    """The engine refuses to delete what is protected."""
    return replace(
        no_change(),
        verdict=Verdict.FAILED,
        because="The preview failed: a protected resource would be deleted.",
        counts={"delete": 1, "unchanged": 41},
        cost=None,
        errors=(PROTECTED,),
        warnings=("Team fraud was removed without retire: true; see docs/runbook.md.",),
        gate=Gate(passes=False, why="The preview failed."),
    )


def first_preview() -> Review:
    """A new environment: nothing is there yet."""
    steps = (
        step("create", "gcp:container/cluster:Cluster", "cluster", "cluster"),
        step("create", "gcp:compute/network:Network", "network", "network"),
        step("create", "gcp:compute/subnetwork:Subnetwork", "nodes", "network"),
        step("create", "gcp:serviceaccount/account:Account", "node-account", "node-account"),
        *(step("create", POOL, f"{each}-nodes", each) for each in ("scheduler-pool", "a100", "l4")),
        step("create", "kubernetes:helm.sh/v3:Release", "dask-operator", "dask-operator"),
        *(
            resource
            for team in ("climate", "fraud", "marketing")
            for resource in (
                step("create", "kubernetes:core/v1:Namespace", team, team),
                step("create", "kubernetes:core/v1:ResourceQuota", f"{team}-quota", team),
                step("create", DASK_CLUSTER, f"{team}-dask-cluster", team),
                step("create", "kubernetes:core/v1:Service", f"{team}-dask", team),
            )
        ),
    )
    return replace(
        no_change(),
        verdict=Verdict.SAFE,
        because="Everything is new; nothing runs yet.",
        counts={"create": len(steps)},
        consequences=consequences_of(*steps),
        cost=replace(SAME_COST, idle_before=None, full_before=None),
        placement=PLACEMENT,
        warnings=(
            "The cluster does not exist yet, so the engine could not compare what is inside it.",
            "Quota for 12 A100, 6 L4 and 2 T4 is needed in us-central1.",
        ),
        steps=steps,
        gate=Gate(passes=True, why="Nothing is destroyed"),
    )


def huge() -> Review:
    """The cluster moves to another zone, with 5,000 resources in it."""
    cluster = step(
        "replace",
        "gcp:container/cluster:Cluster",
        "cluster",
        "cluster",
        diff("location", "us-central1-c", "us-central1-a", forces=True),
    )
    inside = tuple(
        step(
            "replace",
            "kubernetes:core/v1:ConfigMap",
            f"settings-{number:04}",
            "climate",
            diff("data.settings", f"threads: {number}", f"threads: {number + 1}", forces=True),
        )
        for number in range(4_000)
    )
    cascade = tuple(
        replace(
            step("replace", "kubernetes:core/v1:Secret", f"token-{number:04}", "fraud"),
            follows=cluster.urn,
        )
        for number in range(1_000)
    )
    return replace(
        no_change(),
        verdict=Verdict.DESTROYS,
        because="The GKE cluster is replaced, with everything in it.",
        counts={"replace": 5_001, "unchanged": 12},
        consequences=consequences_of(cluster),
        placement=PLACEMENT,
        warnings=("1,000 resources only follow the cluster; the engine could not compare them.",),
        steps=(cluster, *inside, *cascade),
        gate=Gate(
            passes=False,
            why="Somebody must allow: replaces-cluster",
            missing=(ChangeClass.REPLACES_CLUSTER,),
        ),
    )


def rehearsed() -> Review:
    """The image of team fraud again, and the rehearsal saw one thing more."""
    return replace(
        needs_care(),
        rehearsed=Rehearsed(
            base="1d2c3b4a59687766554433221100ffeeddccbbaa",
            head=COMMIT,
            lines=(
                "team fraud: Dask cluster replaced, 1 scheduler and 4 workers are new.",
                "No other pod moved; no node was re-created.",
            ),
            differences=(
                Discrepancy(
                    subject="team climate",
                    foretold="nothing happens",
                    seen="2 workers restarted",
                ),
            ),
            seconds_without_scheduler={"fraud": 14.2},
            second_up_changes=0,
            stood_in=("nodes and GPUs (kwok)", "Google's APIs (emulator)", "the image pull"),
            way_back=("team fraud: Dask cluster is replaced; 4 workers go; back in 5 to 13 min",),
        ),
    )


SAMPLES: Mapping[str, Callable[[], Review]] = {
    "no-change": no_change,
    "safe": safe,
    "needs-care": needs_care,
    "destroys": destroys,
    "failed": failed,
    "first-preview": first_preview,
    "huge": huge,
    "rehearsed": rehearsed,
}
