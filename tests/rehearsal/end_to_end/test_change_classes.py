"""End to end: inputs are changed one by one, and what the table foretells is what happens.

`make test` carries out one input of each class and resource type. `make soak` plans every input,
carries out all that can be, and writes ``bench/results/change_classes.json``.
"""

from collections.abc import Iterator

import pytest

from daskfleet.platform.review.rehearsal_run.comparing import differences
from rehearsal.toolchain import Binaries
from tests.rehearsal.end_to_end.input_changes.rounds import Round, one_of_each_class, rounds
from tests.rehearsal.end_to_end.input_changes.stage import (
    InputStage,
    Stages,
    foretold_operations,
    operations,
    worst,
)
from tests.rehearsal.end_to_end.input_changes.tally import Tally
from tests.rehearsal.end_to_end.input_changes.values import input_changes

pytestmark = pytest.mark.rehearsal

CHANGES = input_changes()
CARRIED_OUT = [change for change in CHANGES if not change.only_preview]


def name_of(one: Round) -> str:
    return str(one[0]) if len(one) == 1 else f"{one[0]}-and-{len(one) - 1}-more"


@pytest.fixture(scope="module")
def tally() -> Iterator[Tally]:
    kept = Tally()
    yield kept
    kept.write_if_complete()


@pytest.fixture(scope="module")
def stages(binaries: Binaries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stages]:
    del binaries
    kept = Stages(lambda: tmp_path_factory.mktemp("inputs"))
    yield kept
    kept.end()


@pytest.fixture
def stage(stages: Stages) -> InputStage:
    return stages.current


@pytest.fixture
def undone(stage: InputStage, stages: Stages) -> Iterator[InputStage]:
    """The stage; what a test changes is taken back, or the next test gets another stage."""
    yield stage
    try:
        stage.undo()
    except BaseException:
        stages.end()
        raise


def carry_out(stage: InputStage, changes: Round) -> None:
    foretold = stage.foretold(changes)
    told, disruption = stage.up(changes)
    if any(change.cascades for change in changes):
        assert worst(told) == max(change.row.change_class for change in changes)
    else:
        assert operations(told) == foretold_operations(changes)
    assert differences(foretold, disruption) == ()


@pytest.mark.parametrize("changes", rounds(one_of_each_class(CHANGES)), ids=name_of)
def test_a_change_does_what_its_class_says(undone: InputStage, changes: Round) -> None:
    carry_out(undone, changes)


@pytest.mark.soak(files=10, every=2)  # an `up` and another one back
@pytest.mark.parametrize("changes", rounds(CARRIED_OUT), ids=name_of)
def test_every_change_does_what_its_class_says(
    undone: InputStage, changes: Round, tally: Tally
) -> None:
    carry_out(undone, changes)
    tally.carried_out(changes)


@pytest.mark.soak
@pytest.mark.parametrize("changes", rounds(CHANGES), ids=name_of)
def test_every_change_is_planned_as_foretold(
    stage: InputStage, changes: Round, tally: Tally
) -> None:
    told = stage.preview(changes)
    found = operations(told)
    expected = foretold_operations(changes)

    assert {key: found.get(key) for key in expected} == expected
    if not any(change.cascades for change in changes):
        assert found.keys() == set(expected).union(*(each.shown_with_it for each in changes))
    else:
        assert worst(told) == max(change.row.change_class for change in changes)
    tally.planned(changes)
