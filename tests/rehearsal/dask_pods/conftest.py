"""Fixtures of the tests that run pods."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio

from rehearsal.dask_pods.addresses import claimed_block
from rehearsal.dask_pods.model import Mounted
from rehearsal.dask_pods.pod_run import PodRun
from tests.rehearsal.dask_pods.pods import NOTHING_MOUNTED, place
from tests.rehearsal.dask_pods.running import Start


@pytest_asyncio.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    """Starts pods, each on an address and in a directory of its own, and ends them."""
    runs: list[PodRun] = []
    with claimed_block() as block:

        async def started(
            document: dict[str, Any], *, mounted: Mounted = NOTHING_MOUNTED
        ) -> PodRun:
            directory = tmp_path / str(len(runs))
            directory.mkdir()
            where = place(directory, loopback=block.of(str(len(runs))).loopback)
            run = PodRun(document, place=where, mounted=mounted)
            runs.append(run)
            await run.start()
            return run

        yield started
        for run in runs:
            await run.end(grace_s=5)
