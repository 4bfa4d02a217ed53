"""Fleets by UID, written short."""

from daskfleet.platform.review.rehearsal_run.fleet import Fleet, Members, Part, Place


def looked_at(
    *,
    nodes: dict[str, str] | None = None,
    teams: dict[str, tuple[str, str]] | None = None,
    namespaces: dict[str, str] | None = None,
    platform: dict[tuple[Part, str], str] | None = None,
) -> Fleet:
    """A fleet; each letter is a UID, and a team has its scheduler's and its workers'."""
    pods: dict[Members, frozenset[str]] = {}
    for team, (scheduler, workers) in (teams or {}).items():
        pods[team, "scheduler"] = frozenset(scheduler)
        if workers:
            pods[team, "worker"] = frozenset(workers)
    places: dict[Place, frozenset[str]] = {
        place: frozenset(uids) for place, uids in (platform or {}).items()
    }
    return Fleet(
        nodes={pool: frozenset(uids) for pool, uids in (nodes or {}).items()},
        dask_pods=pods,
        namespaces={name: frozenset(uid) for name, uid in (namespaces or {}).items()},
        platform=places,
    )


BEFORE = looked_at(
    nodes={"system": "s", "scheduler-pool": "t", "a100": "ab"},
    teams={"alpha": ("1", "23"), "beta": ("4", "5")},
    namespaces={"alpha": "A", "beta": "B", "kube-system": "K"},
    platform={
        ("operator", "system"): "o",
        ("driver installer", "scheduler-pool"): "x",
        ("driver installer", "a100"): "yz",
    },
)
"""What ``tests.components.fleets.fleet`` describes."""
