"""Small computations whose results are known."""

import importlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from distributed import Client, Future

from in_cluster.dask_probe import gpu_arithmetic
from in_cluster.dask_probe.raised import raised
from in_cluster.dask_probe.remote import call
from in_cluster.dask_probe.waiting import AHEAD_OF_OTHERS, Ended, all_ended, cancelled_after

TIMEOUT_S = 10
GPU_TIMEOUT_S = 25
"""The first use of a GPU makes a CUDA context and compiles kernels."""

SQUARES = 20
CELLS = 100_000
ROWS = 1_000


async def compute(client: Client, workers: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Compute on each worker with what every Python has, and on all with Dask's collections."""
    squares = [
        [
            client.submit(
                pow, n, 2, workers=[each["address"]], pure=False, priority=AHEAD_OF_OTHERS
            )
            for n in range(SQUARES)
        ]
        for each in workers
    ]
    sums = [
        client.submit(sum, numbers, workers=[each["address"]], pure=False, priority=AHEAD_OF_OTHERS)
        for numbers, each in zip(squares, workers, strict=True)
    ]
    expected = str(sum(n * n for n in range(SQUARES)))
    what = [
        {"what": f"the sum of {SQUARES} squares", "on": each["address"], "expected": expected}
        for each in workers
    ]
    for description, future in _collections(client) if workers else ():
        what.append(description)
        sums.append(future)
    async with cancelled_after(client, [*(f for part in squares for f in part), *sums]):
        outcomes = await all_ended(sums, timeout_s=TIMEOUT_S)
    return [{**each, **_seen(outcome)} for each, outcome in zip(what, outcomes, strict=True)]


def _collections(client: Client) -> Iterator[tuple[dict[str, str], "Future[Any]"]]:
    """Begin a computation with Dask's arrays and data frames, where this client has them."""
    try:
        array = importlib.import_module("dask.array")
    except ImportError:
        pass
    else:
        cells = array.arange(CELLS, chunks=CELLS // 10)
        known = CELLS * (CELLS - 1) // 2
        yield (
            {"what": "the sum of a dask.array", "expected": str(known)},
            client.compute(cells.sum(), priority=AHEAD_OF_OTHERS),
        )
    try:
        frames = importlib.import_module("dask.dataframe")
        pandas = importlib.import_module("pandas")
    except ImportError:
        return
    rows = frames.from_pandas(pandas.DataFrame({"x": range(ROWS)}), npartitions=4)
    yield (
        {"what": "the sum of a dask.dataframe", "expected": str(ROWS * (ROWS - 1) // 2)},
        client.compute(rows.x.sum(), priority=AHEAD_OF_OTHERS),
    )


async def compute_on_gpus(
    client: Client, workers: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Compute with cupy and cudf on each worker that sees a GPU."""
    what = [
        {
            "what": f"the sum of {gpu_arithmetic.NUMBERS} squares with {library}",
            "on": each["address"],
            "expected": str(gpu_arithmetic.EXPECTED),
        }
        for each in workers
        if each.get("process", {}).get("gpus")
        for library in ("cupy", "cudf")
    ]
    futures = [
        client.submit(
            eval,
            *call(gpu_arithmetic, "compute", each["what"].rpartition(" ")[2]),
            workers=[each["on"]],
            pure=False,
            priority=AHEAD_OF_OTHERS,
        )
        for each in what
    ]
    async with cancelled_after(client, futures):
        outcomes = await all_ended(futures, timeout_s=GPU_TIMEOUT_S)
    return [
        {**each, **(json.loads(outcome.result) if outcome.result else _seen(outcome))}
        for each, outcome in zip(what, outcomes, strict=True)
    ]


def _seen(outcome: Ended) -> dict[str, Any]:
    if outcome.error is not None:
        return {"raised": raised(outcome.error)}
    if outcome.is_overdue:
        return {"is_overdue": True}
    return {"seen": str(outcome.result)}
