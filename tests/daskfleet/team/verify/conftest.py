"""One real Dask cluster in order; tests add what is not."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from daskfleet.team.verify.collect.pages import collect_pages
from daskfleet.team.verify.collect.probing import Client, probe
from daskfleet.team.verify.facts import TeamFacts
from daskfleet.team.verify.model import Check
from tests.daskfleet.team.verify.running_dask import Scheduler, scheduler, worker
from tests.daskfleet.team.verify.samples import IMAGE, checked, pods

WORKERS = 2

Checked = Callable[..., dict[str, Check]]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Scheduler]:
    """A scheduler with two workers, as a team's."""
    with scheduler() as running, worker(running, "first"), worker(running, "second"):
        yield running


@pytest.fixture
def verified(cluster: Scheduler) -> Checked:
    """Check the cluster as a team's that declares what the arguments say."""

    def check(
        of: Scheduler = cluster,
        *,
        workers: int = WORKERS,
        python: Path = Path(sys.executable),
        modules: tuple[str, ...] = (),
        resources: dict[str, int] | None = None,
    ) -> dict[str, Check]:
        resources = resources or {"GPU": 1}
        facts = asyncio.run(_collected(of, python, modules, resources, workers))
        declared = {"workers": workers, "worker_resources": resources, "tls_client_secret": None}
        return checked(facts, **declared, image=IMAGE)

    return check


async def _collected(
    of: Scheduler,
    python: Path,
    modules: tuple[str, ...],
    resources: dict[str, int],
    workers: int,
) -> TeamFacts:
    client = Client(python=python, modules=modules)
    return TeamFacts(
        pods=pods(workers),
        service_leads_to="fraud",
        dask=await probe(client, of.address, [resources], progress=lambda _: None),
        pages=await collect_pages(of.http),
    )
