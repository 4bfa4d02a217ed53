"""Pure: what the stack tells those who use it. Nothing here is secret."""

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from pulumi import Output

from components.outputs.team import retired_team_output, team_output
from daskfleet.planning.budget import budget_of
from daskfleet.planning.cost_lines import HOURS_PER_MONTH, Cost
from daskfleet.planning.cost_shares import MonthlyShare, monthly_shares
from daskfleet.planning.monitoring import COLLECTOR_NAMESPACE, is_collected, measures_gpus
from daskfleet.planning.node_pool_spec import NodePoolSpec, gpu_pool_specs, system_pool_spec
from daskfleet.planning.plan import FleetPlan
from daskfleet.planning.quota import SurgeQuota
from daskfleet.settings.stack import Stack


class ProtectionOutput(TypedDict):
    """What a deletion is refused for, and how to do it all the same."""

    long_lived: bool
    protected: list[str]
    to_remove_a_team: str
    to_destroy: str


class PoolOutput(TypedDict):
    """A node pool and its size."""

    name: str
    """Its name in GKE."""

    pool: str
    """Its name in the stack file."""

    role: str
    machine_type: str
    accelerator: str | None
    gpus_per_node: int
    gpu_partition_size: NotRequired[str]
    """Size of the partitions (MIG), where the GPUs are divided."""

    workers_per_gpu: NotRequired[int]
    """Workers that share one GPU, or partition, in turns, where it is more than one."""

    min_nodes: int
    max_nodes: int
    surge_quota: dict[str, int]
    """With ``replacement: surge``: the quota that a new generation takes beside the old one."""


class ShareOutput(TypedDict):
    """A part of the cost, in US dollars per month."""

    idle: float
    full: float


class CostOutput(TypedDict):
    """What the fleet costs by list prices, in US dollars; at least, where ``unpriced`` says so."""

    idle_usd_per_hour: float
    full_usd_per_hour: float
    idle_usd_per_month: float
    full_usd_per_month: float
    teams: dict[str, ShareOutput]
    """By their shares of the nodes; with the next two they add up to the figures per month."""

    unused: ShareOutput
    """GPUs that no team declares pods for."""

    platform: ShareOutput
    """What all teams need: the cluster, its network, the system pool."""

    prices_as_of: str
    """Date of the oldest price, ISO 8601."""

    monthly_budget_usd: float | None
    budget: str
    """How ``full_usd_per_month`` stands to it: none, within, above, unknown, far above."""

    unpriced: list[str]
    """Machine types and attached GPUs of which nobody knows the price. Where there are any, all
    figures are at least: what has a price."""

    notes: list[str]
    """What is not in the figures, and which prices are missing or another region's."""


class MonitoringOutput(TypedDict):
    """What is measured, where the stack says so."""

    prometheus: str
    """``managed`` or ``none``."""

    gpu_metrics: bool
    collector_namespace: str
    """Namespace of the pods that read metrics of a team's pods; empty: nobody does."""


def fleet_outputs(
    plan: FleetPlan, *, internal_addresses: Mapping[str, Output[str]] | None = None
) -> dict[str, Any]:
    """Return the stack's outputs by name.

    Args:
        plan: the fleet.
        internal_addresses: what Google gave, by team; teams without an address have no entry.
    """
    stack = plan.stack
    quotas = {quota.pool: quota for quota in plan.surge_quotas}
    return {
        "cluster": {
            "name": stack.cluster.name,
            "location": stack.location,
            "get_credentials": get_credentials(stack),
        },
        "teams": {
            team.team.name: team_output(
                team, internal_address=(internal_addresses or {}).get(team.team.name)
            )
            for team in plan.teams
        },
        "retired_teams": {team.name: retired_team_output(team) for team in plan.retired},
        "pools": [
            pool_output(spec, quota=quotas.get(spec.name))
            for spec in (system_pool_spec(stack.system_pool), *gpu_pool_specs(stack))
        ],
        "cost": cost_output(plan.cost, budget_usd=stack.monthly_budget_usd),
        "protection": protection_output(plan),
        "driver": stack.driver.model_dump(),
        "operator": {"namespace": stack.operator.namespace, "version": stack.operator.version},
        **({"monitoring": monitoring_output(stack)} if stack.monitoring else {}),
    }


def get_credentials(stack: Stack) -> str:
    """Return the command that lets kubectl in."""
    endpoint = " --dns-endpoint" if stack.cluster.endpoint.kind == "dns" else ""
    return (
        f"gcloud container clusters get-credentials {stack.cluster.name} "
        f"--project {stack.project} --location {stack.location}{endpoint}"
    )


def monitoring_output(stack: Stack) -> MonitoringOutput:
    """Return what is measured."""
    is_managed = is_collected(stack)
    return {
        "prometheus": "managed" if is_managed else "none",
        "gpu_metrics": measures_gpus(stack),
        "collector_namespace": COLLECTOR_NAMESPACE if is_managed else "",
    }


def protection_output(plan: FleetPlan) -> ProtectionOutput:
    """Return what is protected; `pulumi destroy` runs no program that could say it."""
    stack = plan.stack
    specs = (system_pool_spec(stack.system_pool), *gpu_pool_specs(stack))
    return {
        "long_lived": stack.long_lived,
        "protected": [
            f"cluster {stack.cluster.name}",
            *(f"pool {spec.name}" for spec in specs if not spec.generation.is_numbered),
            *(f"namespace {team.team.name}" for team in plan.teams),
        ]
        if stack.long_lived
        else [],
        "to_remove_a_team": "Set retire: true in its entry and run `pulumi up`; then remove the "
        "entry and run `pulumi up`.",
        "to_destroy": "Set daskfleet:long_lived to false and run `pulumi up`; then run `pulumi "
        "destroy`.",
    }


def pool_output(spec: NodePoolSpec, *, quota: SurgeQuota | None) -> PoolOutput:
    """Return a pool's part of the outputs."""
    output: PoolOutput = {
        "name": spec.generation.name,
        "pool": spec.name,
        "role": spec.role,
        "machine_type": spec.machine_type,
        "accelerator": spec.gpus.accelerator if spec.gpus else None,
        "gpus_per_node": spec.gpus.per_node if spec.gpus else 0,
        "min_nodes": spec.autoscaling.min_nodes if spec.autoscaling else spec.node_count or 0,
        "max_nodes": spec.autoscaling.max_nodes if spec.autoscaling else spec.node_count or 0,
        "surge_quota": {**quota.metrics, **quota.uncounted} if quota else {},
    }
    if spec.gpus and spec.gpus.partition_size:
        output["gpu_partition_size"] = spec.gpus.partition_size
    if spec.gpus and spec.gpus.clients_per_gpu > 1 and spec.role == "worker":
        output["workers_per_gpu"] = spec.gpus.clients_per_gpu
    return output


def cost_output(cost: Cost, *, budget_usd: float | None) -> CostOutput:
    """Return the estimate in whole cents: a change below that is no news."""
    monthly = monthly_shares(cost)
    return {
        "idle_usd_per_hour": round(cost.idle_usd_per_hour, 2),
        "full_usd_per_hour": round(cost.full_usd_per_hour, 2),
        "idle_usd_per_month": round(cost.idle_usd_per_hour * HOURS_PER_MONTH, 2),
        "full_usd_per_month": round(cost.full_usd_per_hour * HOURS_PER_MONTH, 2),
        "teams": {each.team: _share(each) for each in monthly if each.kind == "team"},
        "unused": next(_share(each) for each in monthly if each.kind == "unused"),
        "platform": next(_share(each) for each in monthly if each.kind == "platform"),
        "prices_as_of": cost.priced_on.isoformat(),
        "monthly_budget_usd": budget_usd,
        "budget": budget_of(cost, budget_usd).state.value,
        "unpriced": list(cost.unpriced),
        "notes": list(cost.notes),
    }


def _share(share: MonthlyShare) -> ShareOutput:
    return {"idle": share.idle_cents / 100, "full": share.full_cents / 100}
