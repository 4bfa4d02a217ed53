"""Counts what was noticed, and shows what was not."""

from collections import Counter
from collections.abc import Sequence

from tests.mutants.rooms import room_of
from tests.mutants.trial import Tried

AIM = 0.95
"""The part of the mutants that tests have to notice, those that change nothing left aside."""


def below_the_aim(results: Sequence[Tried]) -> bool:
    """Tell whether too many survived."""
    return sum(each.killed for each in results) < AIM * len(results)


def told(results: Sequence[Tried]) -> str:
    """Show the survivors and the numbers of each room."""
    survivors = [shown(each) for each in results if not each.killed]
    rooms = Counter(room_of(each.mutant.path) for each in results)
    killed = Counter(room_of(each.mutant.path) for each in results if each.killed)
    lines = [f"{killed[room]:5} of {count:4}  {room}" for room, count in sorted(rooms.items())]
    return "\n".join([*survivors, *lines, f"{killed.total():5} of {rooms.total():4}  killed"])


def shown(each: Tried) -> str:
    """Show one survivor as an entry of equivalents.yaml would name it, and its diff."""
    line, _ = each.mutant.place
    return f"{each.mutant.path}:{line} in {each.mutant.function}\n{each.diff}\n"
