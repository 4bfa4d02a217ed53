"""Rehearsal and soak tiers: every case of the fault catalogue, under the real engine."""

from collections.abc import Mapping

import pytest
from _pytest.mark import ParameterSet

from tests.faults.case import Case, Request
from tests.faults.catalogue import catalogue, while_google_works
from tests.faults.fleets import Name
from tests.faults.google_stage import GoogleStage
from tests.faults.moves import MOVES, Move
from tests.faults.requests_of_the_fleet import READS
from tests.faults.results import Result, current_commit, ending_after, is_done, keep
from tests.faults.run_case import Picture, run_case

pytestmark = pytest.mark.rehearsal

IN_EVERY_TEST_RUN = (
    "SIGKILL of up: after first pool",
    "SIGKILL of destroy: before cluster",
    "SIGKILL of up: before default pool's removal",
    "SIGINT of up: before cluster",
    "SIGTERM of destroy: after subnetwork",
    "SIGINT twice of up: after second pool",
    "503, lasting, during destroy: router",
    "answer lost, during up: network",
    "400, busy cluster, during up: first pool",
    "stock-out during up: a100",
    "operation fails, during up: third pool",
)
"""One of each way to end, and of each place that is special."""

IN_TURN = pytest.mark.soak(every=60)  # six seconds each, of more than 400


def parameters() -> list[ParameterSet]:
    """Give each case its name and its tier."""
    return [
        pytest.param(case, id=case.id, marks=() if case.id in IN_EVERY_TEST_RUN else (IN_TURN,))
        for case in catalogue()
    ]


def requests_sent(stage: GoogleStage, begins: Name, target: Name) -> tuple[list[str], list[str]]:
    """Return what a clean run sends: changes, and reads."""
    stage.bring_to(begins)
    before = len(stage.emulator.log.read())
    stage.bring_to(target)
    sent = stage.emulator.log.read()[before:]
    return (
        [f"{each.method} {each.path}" for each in sent if each.mutating],
        [f"{each.method} {each.path}" for each in sent if not each.mutating],
    )


def are_named(sent: list[str], requests: tuple[Request, ...]) -> bool:
    """Tell whether each request that was sent is in the list, and nothing else is."""
    named = [sum(request.matches(each) for each in sent) > request.nth for request in requests]
    known = [sum(request.matches(each) for request in requests) for each in sent]
    return all(named) and all(known) and len(sent) == len(requests)


@pytest.mark.parametrize("move", MOVES, ids=lambda move: f"{move[0]} to {move[1]}")
def test_the_catalogue_names_every_request_that_changes_something(
    stage: GoogleStage, move: Move
) -> None:
    begins, target, requests = move
    changes, _ = requests_sent(stage, begins, target)
    assert are_named(changes, requests), changes


def test_the_catalogue_names_every_read_of_an_up_from_nothing(stage: GoogleStage) -> None:
    _, reads = requests_sent(stage, "empty", "fleet")
    assert are_named(reads, READS), reads


def test_what_runs_in_every_test_run_is_in_the_catalogue() -> None:
    assert set(IN_EVERY_TEST_RUN) <= {case.id for case in catalogue()}


@pytest.mark.parametrize("case", parameters())
def test_at_most_two_commands_lead_on(
    case: Case, stage: GoogleStage, clean: Mapping[Name, Picture]
) -> None:
    run_and_keep(stage, case, clean)


@IN_TURN
@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in while_google_works()])
def test_at_most_two_commands_lead_on_while_google_works(
    case: Case, slow_stage: GoogleStage, clean: Mapping[Name, Picture]
) -> None:
    run_and_keep(slow_stage, case, clean)


def run_and_keep(stage: GoogleStage, case: Case, clean: Mapping[Name, Picture]) -> None:
    """Run a case and note what became of it, unless that is known."""
    commit = current_commit()
    if case.id not in IN_EVERY_TEST_RUN and is_done(case.id, commit=commit):
        pytest.skip(f"passed on {commit} before")
    try:
        run_case(stage, case, clean)
    except BaseException as error:
        reason = str(error)[-2000:]
        keep(
            Result(case=case.id, family=case.family, commit=commit, ending="failed", reason=reason)
        )
        stage.begin_anew()
        raise
    ending = ending_after(case.commands)
    keep(Result(case=case.id, family=case.family, commit=commit, ending=ending))
