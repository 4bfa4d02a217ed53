"""Putting the report together from what was declared, observed and measured."""

from collections.abc import Iterable, Mapping

from daskfleet.contract.jupyter import JUPYTER
from daskfleet.contract.outputs import FleetOutputs
from daskfleet.contract.seen import NodeRow, PodRow, PoolRow
from rehearsal.emulator.gpu_driver import GPU_RESOURCE
from rehearsal.report import claims, isolation_claims, service_claims
from rehearsal.report.fleet_state import Node, Pod
from rehearsal.report.model import (
    Claim,
    Cost,
    LastUp,
    Occasion,
    Report,
    StagePart,
)
from rehearsal.report.network_reach import NetworkReach
from rehearsal.report.observe import Observation
from rehearsal.report.requests import Mark, forbidden_requests, lines_since
from rehearsal.supervisor.record import ClusterRecord


def build_report(
    *,
    stack: str,
    fleet: FleetOutputs,
    observation: Observation,
    cluster: ClusterRecord,
    last_up: LastUp | None,
    verified: Iterable[Claim] = (),
    stage: Iterable[StagePart],
    occasion: Occasion | None = None,
) -> Report:
    """Check every claim and lay the pods beside it."""
    return Report(
        stack=stack,
        pods=_rows(observation.pods, observation.nodes),
        claims=(*_claims(fleet, observation, cluster, last_up), *verified),
        steps=last_up.steps if last_up else (),
        stage=tuple(stage),
        cost=Cost.model_validate(fleet.cost.model_dump()),
        occasion=occasion,
        timeline=last_up.timeline if last_up else None,
        pools=tuple(map(PoolRow.of, fleet.pools)),
        nodes=_nodes(observation.nodes),
    )


def _nodes(nodes: Mapping[str, Node]) -> tuple[NodeRow, ...]:
    return tuple(
        NodeRow(
            name=node.name,
            pool=node.pool,
            machine_type=node.machine_type,
            accelerator=node.accelerator,
            gpus=node.gpus,
            gpu_shares=int(node.allocatable.get(GPU_RESOURCE, 0)),
            is_ready=node.is_ready,
        )
        for node in sorted(nodes.values(), key=lambda each: (each.pool, each.name))
    )


def _claims(
    fleet: FleetOutputs, seen: Observation, cluster: ClusterRecord, last_up: LastUp | None
) -> tuple[Claim, ...]:
    operator = cluster.operator
    audit = lines_since(Mark.start(cluster.audit_log)) if operator else ()
    found = [
        claims.every_team_is_ready(fleet, seen.pods),
        claims.schedulers_are_on_the_scheduler_pool(fleet, seen.pods, seen.nodes),
        claims.workers_are_on_their_pool(fleet, seen.pods, seen.nodes),
        claims.images_are_as_declared(fleet, seen.pods),
        claims.no_node_is_overcommitted(seen.pods, seen.nodes),
        claims.gpu_nodes_carry_gpu_work_only(seen.pods, seen.nodes),
        service_claims.driver_is_ready_on_every_gpu_node(fleet, seen.drivers, seen.nodes),
        service_claims.operator_works_as_its_service_account(
            cluster,
            is_deployed=seen.operator_is_deployed,
            forbidden=forbidden_requests(audit, user=operator.user) if operator else (),
        ),
        service_claims.control_plane_runs(cluster),
        isolation_claims.teams_reach_their_own_pods_only(
            fleet,
            seen.pods,
            NetworkReach(seen.network_policies, namespaces=seen.namespaces),
            operator_namespace=operator.namespace if operator else "",
        ),
    ]
    if last_up is not None:
        found.append(claims.second_up_is_silent(last_up.second_up))
    return tuple(found)


def _rows(pods: Iterable[Pod], nodes: Mapping[str, Node]) -> tuple[PodRow, ...]:
    rows = []
    for pod in pods:
        is_dask = bool(pod.team) and pod.role in {"scheduler", "worker"}
        if not is_dask and not pod.is_jupyter:
            continue
        node = nodes.get(pod.node)
        rows.append(
            PodRow(
                team=pod.namespace,
                role=JUPYTER if pod.is_jupyter else pod.role,
                name=pod.name,
                namespace=pod.namespace,
                node=pod.node,
                pool=node.pool if node else "",
                accelerator=node.accelerator if node else "",
                phase="Terminating" if pod.is_leaving else pod.phase,
                is_ready=pod.is_ready,
                image=", ".join(pod.images),
                reason=pod.reason,
                gpu_shares=int(pod.requests.get(GPU_RESOURCE, 0)),
            )
        )
    return tuple(sorted(rows, key=lambda row: (row.team, row.role, row.name)))
