"""Tasks that ask for a worker's resources: where do they run?"""

from collections.abc import Mapping, Sequence
from typing import Any

from distributed import Client

from in_cluster.dask_probe.cluster import states_of
from in_cluster.dask_probe.raised import raised
from in_cluster.dask_probe.waiting import AHEAD_OF_OTHERS, all_ended, cancelled_after

TIMEOUT_S = 6
PATIENCE_IN_VAIN_S = 1
"""Where no worker has the resources, the scheduler knows at once."""

WHERE = "__import__('distributed').get_worker().address"


async def run_bound(
    client: Client, resources: Mapping[str, float], workers: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Run one task on each worker that has the resources, and as many wherever they may go.

    Where no worker has them one is sent all the same: it shows what happens to the team's tasks.
    """
    able = [
        each["address"]
        for each in workers
        if all(each.get("resources", {}).get(name, 0) >= n for name, n in resources.items())
    ]
    meant_for = [*able, *([""] * max(1, len(able)))]
    futures = [
        client.submit(
            eval,
            WHERE,
            resources=dict(resources),
            workers=[address] if address else None,
            pure=False,
            priority=AHEAD_OF_OTHERS,
        )
        for address in meant_for
    ]
    async with cancelled_after(client, futures):
        patience_s = TIMEOUT_S if able else PATIENCE_IN_VAIN_S
        outcomes = await all_ended(futures, timeout_s=patience_s)
        overdue = [
            str(f.key) for f, outcome in zip(futures, outcomes, strict=True) if outcome.is_overdue
        ]
        states = await states_of(client, overdue) if overdue else {}
    return [
        {
            "asked": dict(resources),
            "meant_for": address,
            "ran_on": outcome.result or "",
            "raised": raised(outcome.error) if outcome.error else [],
            **states.get(str(future.key), {"state": "unknown"} if outcome.is_overdue else {}),
        }
        for address, future, outcome in zip(meant_for, futures, outcomes, strict=True)
    ]
