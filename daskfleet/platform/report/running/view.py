"""Pure: from what was read to the view; what was not read leaves its section empty."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from daskfleet.contract.seen import PoolRow
from daskfleet.planning.cost_lines import Cost
from daskfleet.platform.cost.bill_model import Bill
from daskfleet.platform.doctor.model import Report as DoctorReport
from daskfleet.platform.drift.model import Report as DriftReport
from daskfleet.platform.history.model import History
from daskfleet.platform.report.running.certificates import certificate_rows, ending
from daskfleet.platform.report.running.declared import Declared
from daskfleet.platform.report.running.doctor import doctor_problems
from daskfleet.platform.report.running.drift import drift_of, drift_problems
from daskfleet.platform.report.running.google_cluster import Cluster, UpgradeInfo
from daskfleet.platform.report.running.in_cluster import Nodes
from daskfleet.platform.report.running.model import FleetView, Kind, Problem, Source
from daskfleet.platform.report.running.money import money_of
from daskfleet.platform.report.running.node_health import node_problems, version_rows
from daskfleet.platform.report.running.operations import Operations, of_cluster
from daskfleet.platform.report.running.reading import Reading
from daskfleet.platform.report.running.room import room_rows
from daskfleet.platform.report.running.rows import node_rows, pod_rows
from daskfleet.platform.report.running.teams import (
    loss_rows,
    team_problems,
    team_rows,
    waiting_rows,
)
from daskfleet.platform.report.running.upgrades import upgrades_of
from daskfleet.team.status.assess import assess
from daskfleet.team.status.model import Report as TeamReport
from daskfleet.team.status.observed import Observed


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """Everything that was read, or was not."""

    declared: Declared
    state: Source
    teams: Reading[dict[str, Observed]]
    nodes: Reading[Nodes]
    google: Reading[tuple[Cluster, UpgradeInfo]]
    operations: Reading[Operations]
    prices: Reading[Cost]
    drift: Reading[DriftReport]
    doctor: Reading[DoctorReport]
    bill: Reading[Bill] | None
    """None: no export is named."""
    history: Reading[History]


def view_of(gathered: Gathered, *, now: datetime) -> FleetView:
    """Put together what can be said."""
    outputs = gathered.declared.outputs
    stack = gathered.declared.stack
    observed, node_objects = gathered.teams.value, gathered.nodes.value
    reports = _reports(gathered, now) if observed is not None else None
    nodes = node_rows(node_objects or ())
    pods = pod_rows(reports, observed, nodes) if reports and observed is not None else ()
    certificates = certificate_rows(gathered.declared.certificates, now=now)
    drift = drift_of(gathered.drift.value) if gathered.drift.value else None
    namespaces = {team.namespace: name for name, team in outputs.teams.items()}
    are_pods_known = observed is not None and all(
        team.pods is not None for team in observed.values()
    )
    is_placed = are_pods_known and node_objects is not None
    problems = [
        *(team_problems(reports) if reports else ()),
        *(node_problems(node_objects) if node_objects else ()),
        *ending(certificates),
        *(drift_problems(drift, namespaces=namespaces) if drift else ()),
        *(doctor_problems(gathered.doctor.value) if gathered.doctor.value else ()),
    ]
    return FleetView(
        stack=stack,
        pods=pods,
        pools=tuple(map(PoolRow.of, outputs.pools)),
        nodes=nodes,
        looked_at=now,
        are_pods_known=are_pods_known,
        cluster=f"{outputs.cluster.name} in {outputs.cluster.location}",
        retired_teams=tuple(sorted(outputs.retired_teams)),
        sources=tuple(_sources(gathered)),
        problems=in_order(problems),
        teams=None if reports is None else team_rows(reports, pods),
        waiting=None if reports is None else waiting_rows(reports),
        losses=None if reports is None else loss_rows(reports),
        versions=None if node_objects is None else version_rows(node_objects),
        room=room_rows(
            outputs.pools,
            node_objects,
            pods if is_placed else None,
            gathered.doctor.value.findings if gathered.doctor.value else (),
        ),
        certificates=certificates,
        drift=drift,
        upgrades=upgrades_of(
            *gathered.google.value,
            nodes=None if node_objects is None else nodes,
            pods=pods if is_placed else None,
        )
        if gathered.google.value
        else None,
        operations=of_cluster(gathered.operations.value, gathered.declared.google_cluster)
        if gathered.operations.value
        else None,
        money=money_of(
            gathered.prices.value, outputs.cost, pools=outputs.pools, nodes=nodes, pods=pods
        )
        if gathered.prices.value and is_placed
        else None,
        bill=gathered.bill.value if gathered.bill else None,
        history=gathered.history.value,
    )


def in_order(problems: list[Problem]) -> tuple[Problem, ...]:
    """Return the problems by kind, those of a team beside each other."""
    rank = {kind: place for place, kind in enumerate(Kind)}
    return tuple(sorted(problems, key=lambda each: (rank[each.kind], each.team)))


def _reports(gathered: Gathered, now: datetime) -> tuple[TeamReport, ...]:
    observed = gathered.teams.value or {}
    return tuple(
        assess(team, observed[name], name=name, stack=gathered.declared.stack, at=now)
        for name, team in sorted(gathered.declared.outputs.teams.items())
    )


def _sources(gathered: Gathered) -> Iterator[Source]:
    yield gathered.state
    for reading in (
        gathered.teams,
        gathered.nodes,
        gathered.google,
        gathered.operations,
        gathered.prices,
        gathered.drift,
        gathered.doctor,
        gathered.bill,
        gathered.history,
    ):
        if reading:
            yield reading.source
