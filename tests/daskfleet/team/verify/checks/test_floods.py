"""Unit: a team that tells of far more than there can be holds up nobody, and fills no terminal."""

import time
from typing import Any

import pytest

from daskfleet.team.verify.facts import BoundTask, GraphFacts
from daskfleet.team.verify.model import LONGEST, Outcome
from tests.daskfleet.team.verify.samples import checked, dask, facts, worker

MANY = 5_000
SECONDS = 4
"""Each with each takes more than that."""

ADDRESSES = tuple(f"w{number}" for number in range(MANY))
OFTEN: dict[str, tuple[Any, ...]] = {
    "bound_tasks": tuple(
        BoundTask(asked={"GPU": 2, "none": 0}, meant_for=each, ran_on=each) for each in ADDRESSES
    ),
    "graphs": (GraphFacts(carries="it", workers_lacking=("?",) * 4 * MANY),),
}


CHECKS = {"bound_tasks": "resources", "graphs": "task graphs"}


@pytest.mark.parametrize(("part", "check"), CHECKS.items())
def test_what_a_team_tells_is_judged_in_seconds(part: str, check: str) -> None:
    workers = tuple(worker(0, address=each) for each in ADDRESSES)
    told = facts(dask=dask(workers=workers, **{part: OFTEN[part]}))
    began = time.process_time()
    judged = checked(told)[check]

    assert time.process_time() - began < SECONDS
    assert judged.outcome is Outcome.FAILED


def test_a_check_is_no_longer_than_a_screen() -> None:
    graphs = tuple(GraphFacts(carries=f"{number}" * 9, is_overdue=True) for number in range(9_000))
    for check in checked(facts(dask=dask(graphs=graphs))).values():
        assert max(map(len, (check.expected, check.seen, check.next_step))) <= LONGEST


def test_a_check_steers_no_terminal() -> None:
    pages = facts().pages
    gone = pages[0].model_copy(update={"status": None, "text": "no answer\x1b[2J"})
    failure = checked(facts(pages=(gone, *pages[1:])))["dashboard"]

    assert failure.seen.isprintable()
