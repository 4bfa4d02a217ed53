"""The commit status, within GitHub's limits."""

import pytest

from daskfleet.catalog.changes import ChangeClass
from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.github.statuses import State, context_of, set_status, state_of
from daskfleet.platform.review.model import Gate, Verdict
from tests.daskfleet.platform.review.github.server import GitHub
from tests.daskfleet.platform.review.github.state import HEAD, OURSELVES, Fault

RUN = "https://github.com/acme/fleet/actions/runs/1"


def set_it(connection: Connection, description: str = "nothing to worry about") -> None:
    set_status(
        connection,
        HEAD,
        stack="prod",
        state=State.SUCCESS,
        description=description,
        target_url=RUN,
    )


def test_the_status_is_of_the_commit_and_of_the_stack(
    github: GitHub, connection: Connection
) -> None:
    set_it(connection)
    assert github.state.statuses == [
        {
            "sha": HEAD,
            "creator": {"login": OURSELVES},
            "state": "success",
            "context": "daskfleet/review (prod)",
            "description": "nothing to worry about",
            "target_url": RUN,
        }
    ]


def test_the_context_tells_stacks_apart() -> None:
    assert context_of("prod") != context_of("dev")


def test_a_long_reason_is_shortened_to_what_github_takes(
    github: GitHub, connection: Connection
) -> None:
    set_it(connection, "x" * 141)
    description = github.state.statuses[0]["description"]
    assert (len(description), description[-2:]) == (140, "x…")


def test_a_lost_answer_leads_to_the_same_status_twice(
    github: GitHub, connection: Connection
) -> None:
    github.state.faults.append(Fault("POST", "/statuses/", carried_out=True))
    set_it(connection)
    assert {status["state"] for status in github.state.statuses} == {"success"}


@pytest.mark.parametrize(
    ("gate", "verdict", "state"),
    [
        (Gate(passes=True, why=""), Verdict.NO_CHANGE, State.SUCCESS),
        (Gate(passes=True, why=""), Verdict.NEEDS_CARE, State.SUCCESS),
        (
            Gate(passes=False, why="", missing=(ChangeClass.REPLACES_POOL,)),
            Verdict.DESTROYS,
            State.FAILURE,
        ),
        (Gate(passes=False, why=""), Verdict.NEEDS_CARE, State.FAILURE),
        (Gate(passes=False, why=""), Verdict.FAILED, State.ERROR),
        (Gate(passes=True, why=""), Verdict.FAILED, State.ERROR),
    ],
)
def test_only_a_gate_that_passes_a_whole_preview_is_a_success(
    gate: Gate, verdict: Verdict, state: State
) -> None:
    assert state_of(gate, verdict) is state
