"""The teams: what each of them has, in order."""

from collections.abc import Mapping, Sequence

import pulumi
from pulumi import ResourceOptions

from components.dask_autoscaler import DaskAutoscaler
from components.dask_cluster import DaskCluster
from components.ephemeral_clusters import EphemeralClusters
from components.gpu_health import gpu_health
from components.idle_controller import idle_controllers
from components.image_prepull import ImagePrepull
from components.internal_address import InternalAddress
from components.jupyter import team_jupyter
from components.kubernetes_provider import KubernetesProvider
from components.node_pool import NodePool
from components.operator_rights import OperatorRights
from components.protection import protect_team
from components.team import Team
from components.team_buckets import TeamBuckets
from components.team_monitoring import team_monitoring
from components.team_notice import TeamNotice
from components.team_tls import TeamTls
from daskfleet.planning.plan import FleetPlan, TeamPlan
from daskfleet.planning.recycle import is_controlled
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team as TeamSettings
from manifests.placement import required_pools


def declare_namespaces(
    plan: FleetPlan, *, rights: OperatorRights, via: KubernetesProvider
) -> dict[str, Team]:
    """Declare the namespace of each team, those that are retired among them, by the team's name."""
    of_teams = [(team_plan.team, team_plan) for team_plan in plan.teams]
    of_retired = [(team, None) for team in plan.retired]
    return {
        team.name: Team(
            team.name, team=team, plan=team_plan, stack=plan.stack, rights=rights, via=via
        )
        for team, team_plan in (*of_teams, *of_retired)
    }


def declare_teams(
    plan: FleetPlan,
    *,
    namespaces: Mapping[str, Team],
    needs: Sequence[pulumi.Resource],
    pools: Mapping[str, NodePool],
    prepulls: Sequence[ImagePrepull],
    via: KubernetesProvider,
    opts: ResourceOptions,
) -> list[pulumi.Resource]:
    """Declare a Dask cluster per team and what is around it; for a retired team next to nothing.

    Args:
        plan: the fleet.
        namespaces: the teams' namespaces, by the team's name.
        needs: what every Dask cluster needs, besides its team's namespace and pools.
        pools: the GPU pools by name.
        prepulls: what pulls images; a Dask cluster is not replaced before its image is there.
        via: the way into the cluster.
        opts: the way to Google Cloud.
    """
    stack = plan.stack
    of_teams = [
        (
            team_plan,
            _of_team(
                team_plan,
                stack=stack,
                team=namespaces[team_plan.team.name],
                needs=needs,
                pools=pools,
                prepulls=prepulls,
                via=via,
                opts=opts,
            ),
        )
        for team_plan in plan.teams
    ]
    declared = [resource for _, of_team in of_teams for resource in of_team]
    for retired in plan.retired:
        declared += _of_retired_team(retired, team=namespaces[retired.name], stack=stack, via=via)
    controlled = [namespaces[each.team.name] for each in plan.teams if is_controlled(each.team)]
    controllers = idle_controllers(stack, needs=[*needs, *controlled], via=via)
    with_cluster = [namespaces[each.team.name] for each in plan.teams]
    health = gpu_health(stack, needs=[*needs, *with_cluster], via=via)
    for team_plan, of_team in of_teams:
        # It has a right in the namespace of each of its teams, and goes with the last of them.
        own = [*controllers, *health] if is_controlled(team_plan.team) else health
        protect_team(team_plan.team.name, is_on=stack.long_lived, over=[*of_team, *own])
    return declared + controllers + health


def _of_team(
    plan: TeamPlan,
    *,
    stack: Stack,
    team: Team,
    needs: Sequence[pulumi.Resource],
    pools: Mapping[str, NodePool],
    prepulls: Sequence[ImagePrepull],
    via: KubernetesProvider,
    opts: ResourceOptions,
) -> list[pulumi.Resource]:
    """Declare what a team has; its namespace comes first."""
    name = plan.team.name
    tls: TeamTls | None = None
    if plan.team.tls:
        tls = TeamTls(name, team=plan.team, tls=plan.team.tls, needs=[team], via=via)
    secrets = tls.secrets if tls else []
    dask_cluster = DaskCluster(
        name,
        plan=plan,
        needs=[
            team,
            *needs,
            *(pools[pool] for pool in required_pools(plan)),
            *(pull for prepull in prepulls for pull in prepull.needed_by(plan)),
            *secrets,
        ],
        certificates_from=tls.valid_from if tls else None,
        via=via,
    )
    of_team: list[pulumi.Resource] = [team, *([tls] if tls else []), dask_cluster]
    of_team += _of_dask_cluster(
        plan, stack=stack, team=team, dask_cluster=dask_cluster, needs=needs, via=via
    )
    if plan.team.buckets:
        of_team += [TeamBuckets(name, team=plan.team, stack=stack, needs=[team], opts=opts)]
    of_team += team_monitoring(name, plan=plan, stack=stack, needs=[team, *needs], via=via)
    jupyter_pool = plan.jupyter and plan.jupyter.generation
    jupyter_needs = [team, *secrets, *([pools[jupyter_pool.pool]] if jupyter_pool else [])]
    of_team += team_jupyter(plan.team, plan=plan, stack=stack, needs=jupyter_needs, via=via)
    # Last: what it tells of is there then.
    specs = [pool.spec for pool in pools.values()]
    told = TeamNotice(name, plan=plan, stack=stack, pools=specs, needs=of_team, via=via)
    return [*of_team, told]


def _of_dask_cluster(
    plan: TeamPlan,
    *,
    stack: Stack,
    team: Team,
    dask_cluster: DaskCluster,
    needs: Sequence[pulumi.Resource],
    via: KubernetesProvider,
) -> list[pulumi.Resource]:
    """Declare what a team may have around its Dask cluster."""
    name = plan.team.name
    around: list[pulumi.Resource] = []
    if plan.team.adaptive:
        around += [
            DaskAutoscaler(
                name,
                plan=plan,
                adaptive=plan.team.adaptive,
                cluster=dask_cluster.resource,
                via=via,
            )
        ]
    if plan.team.ephemeral:
        around += [
            EphemeralClusters(
                name,
                plan=plan,
                ephemeral=plan.team.ephemeral,
                operator_namespace=stack.operator.namespace,
                cluster=dask_cluster.resource,
                needs=[team, *needs],
                via=via,
            )
        ]
    if balancer := plan.team.access.internal_load_balancer:
        around += [
            InternalAddress(
                name,
                team=plan.team,
                balancer=balancer,
                selector=dask_cluster.selector,
                needs=[team],
                via=via,
            )
        ]
    return around


def _of_retired_team(
    retired: TeamSettings, *, team: Team, stack: Stack, via: KubernetesProvider
) -> list[pulumi.Resource]:
    """Declare what is left of a team: its namespace, and the home of its JupyterLab."""
    left: list[pulumi.Resource] = [
        team,
        *team_jupyter(retired, plan=None, stack=stack, needs=[team], via=via),
    ]
    protect_team(retired.name, is_on=False, over=left)
    return left
