"""Unit: the chain of steps that no order avoids."""

from rehearsal.emulator import Latency
from rehearsal.timeline.necessary import necessary_steps
from rehearsal.timeline.state import read_state
from tests.rehearsal.timeline import an_up

DOCUMENTED = Latency.scaled(1)
ONE_OF_EACH = ["network", "subnetwork", "cluster", "removal of the default pool", "node pools"]


def chain(
    *, only: tuple[str, ...] = (), operation: str = "create", **auto_pool: object
) -> list[str]:
    steps = necessary_steps(
        DOCUMENTED,
        an_up.step_times(only=only, operation=operation).worked,
        read_state(an_up.exported_state(**auto_pool)),
    )
    return [step.name.partition(",")[0] for step in steps]


def test_pools_boot_beside_each_other_so_they_count_once() -> None:
    assert chain(initialNodeCount=1) == ONE_OF_EACH


def test_a_team_on_a_pool_that_begins_at_zero_waits_for_a_second_boot() -> None:
    from_zero = [*ONE_OF_EACH, "nodes of a pool that begins at zero"]
    assert chain(initialNodeCount=0) == from_zero
    assert chain() == from_zero


def test_what_was_there_before_needs_no_time() -> None:
    assert chain(only=(an_up.FIXED_POOL,), initialNodeCount=1) == ["node pools"]
    assert chain(operation="update") == []


def test_nothing_is_necessary_where_nothing_waits() -> None:
    state = read_state(an_up.exported_state())
    assert necessary_steps(Latency.fast(), an_up.step_times().worked, state) == ()


def test_every_step_says_where_its_duration_is_from_and_guesses_say_so() -> None:
    steps = necessary_steps(
        DOCUMENTED, an_up.step_times().worked, read_state(an_up.exported_state())
    )
    estimates = [step.duration_s for step in steps if step.source.startswith("estimate")]
    assert all(step.source for step in steps)
    assert estimates == [20, 20, 60]
