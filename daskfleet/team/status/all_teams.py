"""One look at all teams of a stack: each kind of object is read once, for all namespaces."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import kr8s.asyncio

from daskfleet.access.errors import AccessError
from daskfleet.access.fleet import Fleet, fleet_of_stack
from daskfleet.contract.dask import CLUSTER_LABEL, DASK_API, PART_OF, PART_OF_LABEL
from daskfleet.contract.declared import DeclaredTeam
from daskfleet.pod_status import KubernetesObject
from daskfleet.team.status.assess import assess
from daskfleet.team.status.look import StatusError, keep_looking
from daskfleet.team.status.model import FleetReport
from daskfleet.team.status.observed import Objects, Observed
from daskfleet.team.status.reader import Reader

MOST_OBJECTS = 20_000
"""Of one kind: 300 teams with 60 pods each."""


def look_at_all(
    project_dir: Path,
    *,
    stack: str,
    show: Callable[[FleetReport], None],
    again_after_s: float | None = None,
) -> None:
    """Look at all teams and show them; once, or again and again.

    Raises:
        StatusError: the stack is not known, or its fleet cannot be reached.

    """
    try:
        fleet = fleet_of_stack(project_dir, stack)
        asyncio.run(_looks(fleet, show=show, again_after_s=again_after_s))
    except AccessError as error:
        raise StatusError(str(error)) from error


async def _looks(
    fleet: Fleet, *, show: Callable[[FleetReport], None], again_after_s: float | None
) -> None:
    teams = dict(sorted(fleet.declared.teams.items()))

    async def once(api: kr8s.asyncio.Api) -> None:
        observed = await observe_all(api, teams)
        now = datetime.now(tz=UTC)
        show(
            FleetReport(
                stack=fleet.stack,
                at=now.isoformat(timespec="seconds"),
                teams=tuple(
                    assess(team, observed[name], name=name, stack=fleet.stack, at=now)
                    for name, team in teams.items()
                ),
                retired_teams=tuple(sorted(fleet.declared.retired_teams)),
            )
        )

    await keep_looking(fleet.kubeconfig, once, again_after_s=again_after_s)


async def observe_all(
    api: kr8s.asyncio.Api, teams: Mapping[str, DeclaredTeam]
) -> dict[str, Observed]:
    """Read what there is of each team; its scheduler is not asked, which takes a tunnel each."""
    reader = Reader(api, namespace=None, most_objects=MOST_OBJECTS)
    dask_pods, own_pods, events, clusters, groups, quotas = await asyncio.gather(
        reader.all_of("v1", "pods", "pods of Dask", labels=CLUSTER_LABEL),
        reader.all_of("v1", "pods", "JupyterLabs", labels=f"{PART_OF_LABEL}={PART_OF}"),
        reader.all_of("v1", "events", "events (messages of the autoscaler and of quotas)"),
        reader.all_of(DASK_API, "daskclusters", "DaskClusters"),
        reader.all_of(DASK_API, "daskworkergroups", "how many workers are wanted"),
        reader.all_of("v1", "resourcequotas", "quotas"),
    )
    pods = None if dask_pods is None else (*dask_pods, *(own_pods or ()))
    kinds = tuple(_by_namespace(each) for each in (pods, events, clusters, groups, quotas))
    not_known = tuple(reader.not_known)

    def of(namespace: str) -> Observed:
        pods, events, clusters, groups, quotas = (
            None if kind is None else tuple(kind[namespace]) for kind in kinds
        )
        return Observed(
            pods=pods,
            events=events,
            clusters=clusters,
            groups=groups,
            quotas=quotas,
            not_known=not_known,
        )

    return {name: of(team.namespace) for name, team in teams.items()}


def _by_namespace(objects: Objects | None) -> defaultdict[str, list[KubernetesObject]] | None:
    if objects is None:
        return None
    found: defaultdict[str, list[KubernetesObject]] = defaultdict(list)
    known: set[str] = set()
    for each in objects:
        metadata = each["metadata"]
        # A pod may have both labels that are asked for.
        if metadata.get("uid") in known:
            continue
        if uid := metadata.get("uid"):
            known.add(uid)
        found[metadata.get("namespace", "")].append(each)
    return found
