"""The teams: what each of them has, in order."""

from collections.abc import Mapping, Sequence

import pulumi
from pulumi import ResourceOptions

from components.dask_autoscaler import DaskAutoscaler
from components.dask_cluster import DaskCluster
from components.ephemeral_clusters import EphemeralClusters
from components.idle_controller import idle_controllers
from components.image_prepull import ImagePrepull
from components.internal_address import InternalAddress
from components.jupyter import team_jupyter
from components.kubernetes_provider import KubernetesProvider
from components.node_pool import NodePool
from components.placement import required_pools
from components.protection import protect_team
from components.team import Team
from components.team_buckets import TeamBuckets
from components.team_monitoring import team_monitoring
from components.team_tls import TeamTls
from planning.plan import FleetPlan
from planning.sleep import sleeps


def declare_teams(
    plan: FleetPlan,
    *,
    needs: Sequence[pulumi.Resource],
    pools: Mapping[str, NodePool],
    prepulls: Sequence[ImagePrepull],
    via: KubernetesProvider,
    opts: ResourceOptions,
) -> list[pulumi.Resource]:
    """Declare a namespace and a Dask cluster per team, and only a namespace for a retired one.

    Args:
        plan: the fleet.
        needs: what every Dask cluster needs, besides its team's namespace and pools.
        pools: the GPU pools by name.
        prepulls: what pulls images; a Dask cluster is not exchanged before its image is there.
        via: the way into the cluster.
        opts: the way to Google Cloud.
    """
    stack = plan.stack
    declared: list[pulumi.Resource] = []
    to_protect: dict[str, list[pulumi.Resource]] = {}
    with_sleep: list[pulumi.Resource] = []
    for team_plan in plan.teams:
        name = team_plan.team.name
        team = Team(name, team=team_plan.team, plan=team_plan, stack=stack, via=via)
        required = required_pools(team_plan)
        pulls = [pull for prepull in prepulls for pull in prepull.needed_by(team_plan)]
        of_team: list[pulumi.Resource] = [team]
        own_needs = [team, *needs, *(pools[pool] for pool in required), *pulls]
        team_tls: TeamTls | None = None
        if tls := team_plan.team.tls:
            team_tls = TeamTls(name, team=team_plan.team, tls=tls, needs=[team], via=via)
            of_team += [team_tls]
            own_needs += team_tls.secrets
        dask_cluster = DaskCluster(
            name,
            plan=team_plan,
            needs=own_needs,
            certificates_from=team_tls.valid_from if team_tls else None,
            via=via,
        )
        of_team += [dask_cluster]
        if adaptive := team_plan.team.adaptive:
            of_team += [
                DaskAutoscaler(
                    name,
                    plan=team_plan,
                    adaptive=adaptive,
                    cluster=dask_cluster.resource,
                    via=via,
                )
            ]
        if ephemeral := team_plan.team.ephemeral:
            of_team += [
                EphemeralClusters(
                    name,
                    plan=team_plan,
                    ephemeral=ephemeral,
                    operator_namespace=stack.operator.namespace,
                    cluster=dask_cluster.resource,
                    needs=[team, *needs],
                    via=via,
                )
            ]
        with_sleep += [team] if sleeps(team_plan.team) else []
        if balancer := team_plan.team.access.internal_load_balancer:
            of_team += [
                InternalAddress(
                    name,
                    team=team_plan.team,
                    balancer=balancer,
                    selector=dask_cluster.selector,
                    needs=[team],
                    via=via,
                )
            ]
        if team_plan.team.buckets:
            of_team += [
                TeamBuckets(name, team=team_plan.team, stack=stack, needs=[team], opts=opts)
            ]
        of_team += team_monitoring(name, plan=team_plan, stack=stack, needs=[team, *needs], via=via)
        of_team += team_jupyter(
            team_plan.team,
            plan=team_plan,
            stack=stack,
            needs=[team, *(team_tls.secrets if team_tls else ())],
            via=via,
        )
        to_protect[name] = of_team
        declared += of_team
    for retired in plan.retired:
        team = Team(retired.name, team=retired, plan=None, stack=stack, via=via)
        of_team = [team, *team_jupyter(retired, plan=None, stack=stack, needs=[team], via=via)]
        protect_team(retired.name, is_on=False, over=of_team)
        declared += of_team
    controllers = idle_controllers(stack, needs=[*needs, *with_sleep], via=via)
    for team_plan in plan.teams:
        name = team_plan.team.name
        # It has a right in the namespace of each team that sleeps, and goes with the last of them.
        waker = controllers if sleeps(team_plan.team) else []
        protect_team(name, is_on=stack.long_lived, over=[*to_protect[name], *waker])
    return declared + controllers
