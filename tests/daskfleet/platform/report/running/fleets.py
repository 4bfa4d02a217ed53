"""What is read of a running fleet, whole and with what can be wrong with it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from daskfleet.contract.outputs import FleetOutputs
from daskfleet.planning.cost_lines import Cost, CostLine
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.platform.doctor.model import Report as DoctorReport
from daskfleet.platform.drift.model import Difference, Owner, Severity
from daskfleet.platform.drift.model import Report as DriftReport
from daskfleet.platform.history.seen import Seen as Looked
from daskfleet.platform.report.running.certificates import Certificate
from daskfleet.platform.report.running.declared import Declared
from daskfleet.platform.report.running.google_cluster import Cluster, UpgradeInfo
from daskfleet.platform.report.running.model import FleetView, Source, SourceName
from daskfleet.platform.report.running.operations import Operations
from daskfleet.platform.report.running.reading import Reading
from daskfleet.platform.report.running.view import Gathered, view_of
from daskfleet.pod_status import KubernetesObject
from daskfleet.team.status.observed import Observed
from tests.daskfleet.platform.history.records import OTHER, history, record, team
from tests.daskfleet.team.status.objects import IMAGE, cluster, group, pod
from tests.rehearsal.report.fleets import FLEET

NOW = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
NO_GPU = "0/3 nodes are available: 3 Insufficient nvidia.com/gpu."
OLD, NEW = "1.33.2-gke.1240000", "1.33.4-gke.1000000"
TOKEN = "ya29.a0AfH6SMBx0123456789abcdefghijklmnop"  # noqa: S105 - a shape, and no token


def pool_output(name: str, role: str, **changes: Any) -> dict[str, Any]:
    fields = {
        "name": f"{name}-g1",
        "pool": name,
        "role": role,
        "machine_type": "a2-highgpu-2g",
        "accelerator": "nvidia-tesla-a100",
        "gpus_per_node": 2,
        "min_nodes": 1,
        "max_nodes": 2,
        "surge_quota": {},
    }
    return {**fields, **changes}


SYSTEM = pool_output("system", "system", accelerator=None, gpus_per_node=0, machine_type="e2")
OUTPUTS = FleetOutputs.model_validate(
    {
        **FLEET.model_dump(),
        "pools": [SYSTEM, pool_output("a100", "worker")],
        "teams": {
            name: {
                **FLEET.teams["climate"].model_dump(),
                "namespace": name,
                "dask_cluster": name,
                "image": IMAGE,
                "workers": 1,
            }
            for name in ("climate", "fraud")
        },
    }
)


def node(name: str, pool: str = "a100-g1", **changes: Any) -> KubernetesObject:
    """A node with two GPUs, or one of the system pool."""
    has_gpus = pool != "system-g1"
    labels = {"cloud.google.com/gke-nodepool": pool}
    if has_gpus:
        labels |= {
            "cloud.google.com/gke-accelerator": "nvidia-tesla-a100",
            "cloud.google.com/gke-accelerator-count": "2",
        }
    gpus = {"nvidia.com/gpu": "2"} if has_gpus else {}
    return {
        "metadata": {"name": name, "labels": labels, "annotations": {}},
        "spec": {},
        "status": {
            "allocatable": gpus,
            "capacity": gpus,
            "conditions": [{"type": "Ready", "status": "True"}],
            "nodeInfo": {"kubeletVersion": f"v{OLD}"},
        },
        **changes,
    }


def of_team(name: str, role: str, team: str, **changes: Any) -> KubernetesObject:
    """A pod; a worker holds one GPU."""
    made = pod(name, role, cluster=team, **changes)
    made["metadata"]["namespace"] = team
    if role == "worker":
        made["spec"]["containers"][0]["resources"]["limits"]["nvidia.com/gpu"] = "1"
    return made


def observed(team: str, **changes: Any) -> Observed:
    """A team whose scheduler and worker are ready."""
    whole: dict[str, Any] = {
        "pods": (of_team(f"{team}-s", "scheduler", team), of_team(f"{team}-w", "worker", team)),
        "clusters": (cluster(team),),
        "groups": (group(f"{team}-default", 1, cluster=team),),
        **changes,
    }
    return Observed(**whole)


PRICES = Cost(
    lines=(
        CostLine(item="gke-cluster", usd_per_hour_each=0.5, idle=1, full=1),
        CostLine(item="system", usd_per_hour_each=1.0, idle=1, full=2),
        CostLine(item="a100", usd_per_hour_each=8.0, idle=1, full=2, pool="a100"),
    ),
    priced_on=date(2026, 9, 1),
    notes=(),
)

GKE = Cluster.model_validate(
    {
        "name": "fleet",
        "currentMasterVersion": NEW,
        "releaseChannel": {"channel": "REGULAR"},
        "nodePools": [
            {"name": "system-g1", "version": NEW},
            {"name": "a100-g1", "version": OLD},
        ],
        "maintenancePolicy": {
            "window": {
                "recurringWindow": {
                    "window": {
                        "startTime": "2026-01-03T02:00:00Z",
                        "endTime": "2026-01-03T10:00:00Z",
                    },
                    "recurrence": "FREQ=WEEKLY;BYDAY=SA",
                },
                "maintenanceExclusions": {
                    "quarter-end": {
                        "startTime": "2026-12-20T00:00:00Z",
                        "endTime": "2027-01-05T00:00:00Z",
                        "maintenanceExclusionOptions": {"scope": "NO_MINOR_UPGRADES"},
                    }
                },
            }
        },
    }
)
UPGRADE = UpgradeInfo.model_validate(
    {"patchTargetVersion": NEW, "endOfStandardSupportTimestamp": "2027-04-03T00:00:00Z"}
)
OPERATIONS = Operations.model_validate(
    {
        "operations": [
            {
                "name": "operation-1",
                "operationType": "UPGRADE_MASTER",
                "status": "DONE",
                "startTime": "2026-11-21T02:00:00Z",
                "endTime": "2026-11-21T02:09:00Z",
                "targetLink": "https://container.googleapis.com/v1/projects/1/locations/l/clusters/c",
            }
        ]
    }
)
DRIFT = DriftReport(stack="prod", differences=(), google_resources=30, kubernetes_objects=70)
SCALED = Difference(
    severity=Severity.CHANGED,
    resource="DaskCluster fraud/fraud",
    field="spec.worker.replicas",
    declared=1,
    found=3,
    owner=Owner.USER_SCALE,
    evidence="kubectl-scale at 2026-11-23 08:40 UTC",
    remedy="`pulumi up --refresh` puts it back.",
)
WRONG = Finding(
    area=Area.QUOTA,
    subject="NVIDIA_A100_GPUS in us-central1",
    outcome=Outcome.WRONG,
    needed="8",
    there="limit 4, used 4",
    fix="Ask for 4 more.",
    command="gcloud beta quotas preferences create",
)

HISTORY = history(
    record(0, team("climate"), team("fraud")),
    record(60 * 24, team("climate"), team("fraud", image=OTHER)),
    seen=Looked(clusters=(), nodes=()),
)


def reading(name: SourceName, value: Any, *lacks: str, why_not: str = "") -> Reading[Any]:
    """A source that was read, or was not."""
    source = Source(name=name, read_at=NOW, took_s=0.5, why_not=why_not, lacks=lacks)
    return Reading(value=value, source=source)


def gathered(**changes: Any) -> Gathered:
    """Everything of a fleet on which nothing is the matter."""
    whole = Gathered(
        declared=Declared(
            stack="prod",
            outputs=OUTPUTS,
            kubeconfig={},
            google_cluster="projects/p/locations/l/clusters/c",
            certificates=(
                Certificate(
                    about="TLS of team fraud",
                    team="fraud",
                    ends_at=datetime(2027, 11, 1, tzinfo=UTC),
                ),
            ),
        ),
        state=reading(SourceName.STATE, None).source,
        teams=reading(SourceName.PODS, {team: observed(team) for team in ("climate", "fraud")}),
        nodes=reading(SourceName.NODES, (node("gke-a100-1"), node("sys-1", "system-g1"))),
        google=reading(SourceName.CLUSTER, (GKE, UPGRADE)),
        operations=reading(SourceName.OPERATIONS, OPERATIONS),
        prices=reading(SourceName.PRICES, PRICES),
        drift=reading(SourceName.DRIFT, DRIFT),
        doctor=reading(SourceName.DOCTOR, DoctorReport(stack="prod", findings=())),
        bill=None,
        history=reading(SourceName.HISTORY, HISTORY),
    )
    return replace(whole, **changes)


def view(**changes: Any) -> FleetView:
    """The view of it."""
    return view_of(gathered(**changes), now=NOW)


UNREAD: Mapping[str, SourceName] = {
    "teams": SourceName.PODS,
    "nodes": SourceName.NODES,
    "google": SourceName.CLUSTER,
    "operations": SourceName.OPERATIONS,
    "prices": SourceName.PRICES,
    "drift": SourceName.DRIFT,
    "doctor": SourceName.DOCTOR,
    "history": SourceName.HISTORY,
}


def unread(*fields: str) -> dict[str, Reading[Any]]:
    """Sources of which nothing could be read."""
    return {
        field: reading(UNREAD[field], None, why_not=f"{field} is forbidden") for field in fields
    }


def troubled() -> FleetView:
    """A fleet with one trouble of each kind."""
    ended = {"reason": "OOMKilled", "exitCode": 137, "finishedAt": "2026-11-23T08:55:00Z"}
    fraud = observed(
        "fraud",
        pods=(
            of_team("fraud-s", "scheduler", "fraud"),
            of_team("fraud-w", "worker", "fraud", restarts=2, last_state={"terminated": ended}),
            of_team("fraud-x", "worker", "fraud", unscheduled=NO_GPU),
        ),
        groups=(group("fraud-default", 3, cluster="fraud"),),
    )
    sick = node("gke-a100-2")
    sick["status"]["conditions"] = [{"type": "Ready", "status": "False"}]
    whole = gathered()
    soon = Certificate(
        about="TLS of team fraud", team="fraud", ends_at=datetime(2026, 12, 1, tzinfo=UTC)
    )
    return view(
        declared=replace(whole.declared, certificates=(soon,)),
        teams=reading(SourceName.PODS, {"climate": observed("climate"), "fraud": fraud}),
        nodes=reading(SourceName.NODES, (node("gke-a100-1"), sick, node("sys-1", "system-g1"))),
        drift=reading(SourceName.DRIFT, DRIFT.model_copy(update={"differences": (SCALED,)})),
        doctor=reading(SourceName.DOCTOR, DoctorReport(stack="prod", findings=(WRONG,))),
    )
