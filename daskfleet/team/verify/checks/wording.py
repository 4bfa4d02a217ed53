"""Pure: how exceptions and processes are put into words."""

from collections.abc import Mapping, Sequence

from daskfleet.contract.declared import DeclaredTeam
from daskfleet.team.verify.facts import DaskFacts, ProcessFacts, Raised, WorkerFacts

CLIENT = "this client"
SCHEDULER = "scheduler"


def named_processes(dask: DaskFacts) -> dict[str, ProcessFacts]:
    """Return all processes that answered, by what people call them."""
    named = {CLIENT: dask.client}
    if dask.scheduler.process is not None:
        named[SCHEDULER] = dask.scheduler.process
    for worker in dask.workers:
        if worker.process is not None:
            named[f"worker {worker.name}"] = worker.process
    return named


Workers = Mapping[str, WorkerFacts]
"""By address: a team may tell of a hundred thousand workers, and of as many tasks."""


def by_address(dask: DaskFacts) -> Workers:
    """Return the workers by their addresses."""
    return {each.address: each for each in dask.workers}


def worker_name(workers: Workers, address: str) -> str:
    """Return what people call a worker."""
    return f"worker {workers[address].name}" if address in workers else address


def words(chain: Sequence[Raised]) -> str:
    """Return an exception and its causes on one line."""
    return ", caused by ".join(f"{each.type}: {each.message}".rstrip(": ") for each in chain)


def counted(count: int, noun: str) -> str:
    """Return ``1 worker`` or ``2 workers``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def everyone(count: int, noun: str) -> str:
    """Return ``the worker`` or ``all 2 workers``."""
    return f"the {noun}" if count == 1 else f"all {count} {noun}s"


def run_the_image(team: DeclaredTeam) -> str:
    """Return what makes a client fit."""
    return (
        f"run the client in the team's image ({team.image}), or give `--python` the Python that "
        "the team really uses"
    )
