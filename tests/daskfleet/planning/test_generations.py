"""Unit tests: what a generation of a pool is called."""

import re

from daskfleet.planning.generations import Generation, generation_of
from tests.daskfleet.planning.documents import minimal, planned


def workers(**pool: object) -> Generation:
    """The generation of the only worker pool."""
    stack = planned(minimal(worker_pools=[pool])).stack
    return generation_of(stack.worker_pools[0], stack)


def test_a_pool_in_place_keeps_its_name_whatever_it_becomes() -> None:
    assert workers().name == "a100"
    assert workers(spot=True).name == "a100"


def test_a_surge_pool_has_its_name_and_a_hash() -> None:
    assert re.fullmatch(r"a100-[0-9a-f]{6}", workers(replacement="surge").name)


def test_taking_a_change_back_is_the_former_generation_again() -> None:
    before, changed = workers(replacement="surge"), workers(replacement="surge", spot=True)

    assert before.name != changed.name
    assert workers(replacement="surge", spot=False) == before


def test_what_comes_in_place_is_no_new_generation() -> None:
    before = workers(replacement="surge")

    assert workers(replacement="surge", node_count=2) == before
    assert workers(replacement="surge", disk_size_gb=300) == before


def test_names_of_generations_are_kept_from_release_to_release() -> None:
    assert workers(replacement="surge").name == "a100-3c317e"
