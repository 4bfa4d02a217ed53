"""Pure: what the stack tells those who use it. Nothing here is secret."""

from collections.abc import Mapping, Sequence
from typing import Any

from pulumi import Output

from components.outputs.team import retired_team_output, team_output
from daskfleet.contract.outputs import (
    ClusterOutput,
    CostOutput,
    DriverOutput,
    FleetOutputs,
    MonitoringOutput,
    OperatorOutput,
    PoolOutput,
    ProtectionOutput,
    ShareOutput,
)
from daskfleet.planning.budget import budget_of
from daskfleet.planning.cost_lines import HOURS_PER_MONTH, Cost
from daskfleet.planning.cost_shares import MonthlyShare, monthly_shares
from daskfleet.planning.monitoring import COLLECTOR_NAMESPACE, is_collected, measures_gpus
from daskfleet.planning.node_pool_spec import NodePoolSpec, pool_specs
from daskfleet.planning.plan import FleetPlan
from daskfleet.planning.quota import SurgeQuota
from daskfleet.settings.stack import Stack


def fleet_outputs(
    plan: FleetPlan, *, internal_addresses: Mapping[str, Output[str]] | None = None
) -> dict[str, Any]:
    """Return the stack's outputs by name.

    Args:
        plan: the fleet.
        internal_addresses: what Google gave, by team; teams without an address have no entry.
    """
    told = _told(plan).model_dump(mode="json", exclude_unset=True)
    for team, address in (internal_addresses or {}).items():
        told["teams"][team]["internal_address"] = address
    return told


def _told(plan: FleetPlan) -> FleetOutputs:
    stack, specs = plan.stack, pool_specs(plan.stack)
    quotas = {quota.pool: quota for quota in plan.surge_quotas}
    told = FleetOutputs(
        cluster=ClusterOutput(
            name=stack.cluster.name,
            location=stack.location,
            get_credentials=get_credentials(stack),
        ),
        teams={team.team.name: team_output(team) for team in plan.teams},
        retired_teams={team.name: retired_team_output(team) for team in plan.retired},
        pools=tuple(pool_output(spec, quota=quotas.get(spec.name)) for spec in specs),
        cost=cost_output(plan.cost, budget_usd=stack.monthly_budget_usd),
        protection=protection_output(plan, specs),
        driver=DriverOutput.model_validate(stack.driver.model_dump()),
        operator=OperatorOutput(namespace=stack.operator.namespace, version=stack.operator.version),
    )
    if not stack.monitoring:
        return told
    return told.model_copy(update={"monitoring": monitoring_output(stack)})


def get_credentials(stack: Stack) -> str:
    """Return the command that lets kubectl in."""
    endpoint = {"dns": " --dns-endpoint", "private": " --internal-ip", "ip": ""}
    return (
        f"gcloud container clusters get-credentials {stack.cluster.name} "
        f"--project {stack.project} --location {stack.location}"
        f"{endpoint[stack.cluster.endpoint.kind]}"
    )


def monitoring_output(stack: Stack) -> MonitoringOutput:
    """Return what is measured."""
    is_managed = is_collected(stack)
    return MonitoringOutput(
        prometheus="managed" if is_managed else "none",
        gpu_metrics=measures_gpus(stack),
        collector_namespace=COLLECTOR_NAMESPACE if is_managed else "",
    )


def protection_output(plan: FleetPlan, specs: Sequence[NodePoolSpec]) -> ProtectionOutput:
    """Return what is protected; `pulumi destroy` runs no program that could say it."""
    stack = plan.stack
    protected = (
        f"cluster {stack.cluster.name}",
        *(f"pool {spec.name}" for spec in specs if not spec.generation.is_numbered),
        *(f"namespace {team.team.name}" for team in plan.teams),
    )
    return ProtectionOutput(
        long_lived=stack.long_lived,
        protected=protected if stack.long_lived else (),
        to_remove_a_team="Set retire: true in its entry and run `pulumi up`; then remove the "
        "entry and run `pulumi up`.",
        to_destroy="Set daskfleet:long_lived to false and run `pulumi up`; then run `pulumi "
        "destroy`.",
    )


def pool_output(spec: NodePoolSpec, *, quota: SurgeQuota | None) -> PoolOutput:
    """Return a pool's part of the outputs."""
    told = PoolOutput(
        name=spec.generation.name,
        pool=spec.name,
        role=spec.role,
        machine_type=spec.machine_type,
        accelerator=spec.gpus.accelerator if spec.gpus else None,
        gpus_per_node=spec.gpus.per_node if spec.gpus else 0,
        min_nodes=spec.autoscaling.min_nodes if spec.autoscaling else spec.node_count or 0,
        max_nodes=spec.autoscaling.max_nodes if spec.autoscaling else spec.node_count or 0,
        surge_quota={**quota.metrics, **quota.uncounted} if quota else {},
    )
    shared: dict[str, object] = {}
    if spec.gpus and spec.gpus.partition_size:
        shared["gpu_partition_size"] = spec.gpus.partition_size
    if spec.gpus and spec.gpus.clients_per_gpu > 1 and spec.role == "worker":
        shared["workers_per_gpu"] = spec.gpus.clients_per_gpu
    return told.model_copy(update=shared)


def cost_output(cost: Cost, *, budget_usd: float | None) -> CostOutput:
    """Return the estimate in whole cents: a change below that is no news."""
    monthly = monthly_shares(cost)
    return CostOutput(
        idle_usd_per_hour=round(cost.idle_usd_per_hour, 2),
        full_usd_per_hour=round(cost.full_usd_per_hour, 2),
        idle_usd_per_month=round(cost.idle_usd_per_hour * HOURS_PER_MONTH, 2),
        full_usd_per_month=round(cost.full_usd_per_hour * HOURS_PER_MONTH, 2),
        teams={each.team: _share(each) for each in monthly if each.kind == "team"},
        unused=next(_share(each) for each in monthly if each.kind == "unused"),
        platform=next(_share(each) for each in monthly if each.kind == "platform"),
        prices_as_of=cost.priced_on.isoformat(),
        monthly_budget_usd=budget_usd,
        budget=budget_of(cost, budget_usd).state.value,
        unpriced=cost.unpriced,
        notes=cost.notes,
    )


def _share(share: MonthlyShare) -> ShareOutput:
    return ShareOutput(idle=share.idle_cents / 100, full=share.full_cents / 100)
