"""Which mutants are tried: as many of each room, no two at one place, others for each commit."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest

from tests.mutants.mutations import Mutant
from tests.mutants.rooms import room_of


def in_random_order(mutants: Iterable[Mutant], seed: str) -> Iterator[Mutant]:
    """Take one of each room in turn, until all rooms are through."""
    # A number of several digits is no more worth than a comparison: one mutant at each place.
    chance = random.Random(seed)  # noqa: S311  # the same for everybody who has the commit
    by_place: dict[tuple[str, tuple[int, int]], list[Mutant]] = defaultdict(list)
    for mutant in sorted(mutants):
        by_place[mutant.path, mutant.place].append(mutant)
    by_room: dict[str, list[Mutant]] = defaultdict(list)
    for same_place in by_place.values():
        chosen = chance.choice(same_place)
        by_room[room_of(chosen.path)].append(chosen)
    for room in by_room.values():
        chance.shuffle(room)
    in_turn = chain.from_iterable(zip_longest(*by_room.values()))
    return (mutant for mutant in in_turn if mutant is not None)
