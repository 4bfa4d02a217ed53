"""What happened to a fleet between two looks, said by team and pool."""

from collections.abc import Iterator

from daskfleet.platform.review.rehearsal_run.fleet import Fleet, Uids

NOTHING: Uids = frozenset()


def what_happened(before: Fleet, after: Fleet) -> tuple[str, ...]:
    """Sentences: teams first, then pools, namespaces, the platform, and what was not touched."""
    teams = sorted(before.teams | after.teams)
    pools = sorted(before.nodes.keys() | after.nodes.keys())
    said = {f"team {team}": _of_team(team, before, after) for team in teams}
    said |= {
        f"pool {pool}": _of_pool(before.nodes.get(pool, NOTHING), after.nodes.get(pool, NOTHING))
        for pool in pools
    }
    untouched = [subject for subject, words in said.items() if not words]
    return (
        *(f"{subject}: {words}" for subject, words in said.items() if words),
        *_namespaces(before, after),
        *_platform(before, after),
        *([f"not touched: {', '.join(untouched)}"] if untouched else []),
    )


def _of_team(team: str, before: Fleet, after: Fleet) -> str:
    schedulers, workers = (
        (before.dask_pods.get((team, role), NOTHING), after.dask_pods.get((team, role), NOTHING))
        for role in ("scheduler", "worker")
    )
    if team not in before.teams:
        return f"new, {_pods(schedulers[1], workers[1])}"
    if team not in after.teams:
        return f"its Dask cluster went, {_pods(schedulers[0], workers[0])}"
    if not schedulers[0] & schedulers[1]:
        if workers[0] & workers[1]:
            return f"scheduler replaced; {_of_workers(*workers) or 'all workers went on'}"
        old, new = (_pods(schedulers[look], workers[look]) for look in (0, 1))
        return f"Dask cluster replaced: {old} went, {new} came"
    changed = _of_workers(*workers)
    return f"{changed}; the scheduler went on" if changed else ""


def _of_workers(before: Uids, after: Uids) -> str:
    gone, came, stayed = before - after, after - before, before & after
    if not gone and not came:
        return ""
    words = [f"{len(gone)} of {_count(len(before), 'worker')} went"] if gone else []
    words += [f"{_count(len(came), 'worker')} came"] if came else []
    words += [f"{_count(len(stayed), 'worker')} went on"] if stayed else []
    return ", ".join(words)


def _of_pool(before: Uids, after: Uids) -> str:
    gone, came = before - after, after - before
    if gone and came:
        return f"{len(gone)} of {_count(len(before), 'node')} went, {len(came)} came"
    if gone:
        return f"{len(gone)} of {_count(len(before), 'node')} went"
    return f"{_count(len(came), 'node')} came" if came else ""


def _namespaces(before: Fleet, after: Fleet) -> Iterator[str]:
    for name, uids in sorted(before.namespaces.items()):
        if not uids & after.namespaces.get(name, NOTHING):
            yield f"namespace {name}: went with everything in it"


def _platform(before: Fleet, after: Fleet) -> Iterator[str]:
    was, now = before.platform, after.platform
    for part in sorted({part for part, _ in was}):
        old = frozenset[str]().union(*(uids for (each, _), uids in was.items() if each == part))
        new = frozenset[str]().union(*(uids for (each, _), uids in now.items() if each == part))
        if old - new:
            yield f"{part}: {len(old - new)} of {_count(len(old), 'pod')} replaced or gone"


def _pods(schedulers: Uids, workers: Uids) -> str:
    named = "scheduler" if len(schedulers) == 1 else _count(len(schedulers), "scheduler")
    return f"{named} and {_count(len(workers), 'worker')}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
