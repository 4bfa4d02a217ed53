"""What waited for what, and which wait made the `up` as long as it was."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rehearsal.timeline.groups import group_of
from rehearsal.timeline.model import Span
from rehearsal.timeline.state import StateResource
from rehearsal.timeline.step_times import ResourceWork

DASK_CLUSTER = "daskfleet:dask:DaskCluster"
"""A component with a wait of its own: its Service is declared when the cluster's pods are ready."""

DASK_CLUSTER_OBJECT = "kubernetes:kubernetes.dask.org/v1:DaskCluster"
SERVICE = "kubernetes:core/v1:Service"


@dataclass(frozen=True, kw_only=True)
class Gate:
    """The wait between a DaskCluster and its Service: until the pods are ready."""

    urn: str
    """Of the component; no work of the engine has it."""
    opens_after: str
    opens: str


def spans_of(
    worked: Mapping[str, ResourceWork], state: Mapping[str, StateResource]
) -> tuple[Span, ...]:
    """Return what was worked on, by start, with what each waited for and the critical path."""
    gates = tuple(_gates(worked, state))
    times = {urn: (work.begin_s, work.end_s) for urn, work in worked.items()}
    times |= {g.urn: (worked[g.opens_after].end_s, worked[g.opens].begin_s) for g in gates}
    names = {urn: work.name for urn, work in worked.items()}
    names |= {gate.urn: f"pods of {state[gate.urn].name} get ready" for gate in gates}
    waits = {urn: _nearest(urn, worked, state) for urn in worked}
    for gate in gates:
        waits[gate.urn] = {gate.opens_after}
        waits[gate.opens] = waits[gate.opens] - {gate.opens_after} | {gate.urn}
    ends = {urn: end_s for urn, (_, end_s) in times.items()}
    critical = critical_path(ends, waits)
    return tuple(
        Span(
            urn=urn,
            name=names[urn],
            group=group_of(urn, state),
            start_s=start_s,
            end_s=end_s,
            waits_for=tuple(sorted(waits[urn])),
            is_critical=urn in critical,
        )
        for urn, (start_s, end_s) in sorted(times.items(), key=lambda item: item[1])
    )


def critical_path(ends_s: Mapping[str, float], waits: Mapping[str, Iterable[str]]) -> list[str]:
    """Walk back from what ended last, each time to the one of its needs that ended last."""
    path: list[str] = []
    urn = max(ends_s, key=lambda other: ends_s[other], default=None)
    while urn is not None:
        path.append(urn)
        urn = max(waits[urn], key=lambda other: ends_s[other], default=None)
    return path[::-1]


def _nearest(
    urn: str, worked: Mapping[str, ResourceWork], state: Mapping[str, StateResource]
) -> set[str]:
    """Return what was worked on and had to end first, through what needed no work."""
    found: set[str] = set()
    seen = {urn}
    ahead = list(state[urn].needs) if urn in state else []
    while ahead:
        need = ahead.pop()
        if need in seen:
            continue
        seen.add(need)
        if need in worked:
            found.add(need)
        elif need in state:
            ahead += state[need].needs
    return found


def _gates(
    worked: Mapping[str, ResourceWork], state: Mapping[str, StateResource]
) -> Iterator[Gate]:
    """Find the waits of DaskCluster components whose object and Service were both worked on."""
    children: dict[tuple[str, str], str] = {
        (resource.parent, resource.type): urn for urn, resource in state.items() if urn in worked
    }
    for urn, resource in state.items():
        if resource.type != DASK_CLUSTER:
            continue
        opens_after = children.get((urn, DASK_CLUSTER_OBJECT))
        opens = children.get((urn, SERVICE))
        if opens_after and opens and worked[opens_after].end_s <= worked[opens].begin_s:
            yield Gate(urn=urn, opens_after=opens_after, opens=opens)
