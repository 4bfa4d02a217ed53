"""The ways from one fleet to another, which the cases go and are kept from going."""

from rehearsal.emulator import Fault
from tests.faults.case import Case, Command, Request
from tests.faults.fleets import Name
from tests.faults.requests_of_the_fleet import DESTROY, GROW, SHRINK, UP

Move = tuple[Name, Name, tuple[Request, ...]]
"""From where, to where, and by which requests."""

CREATION: Move = ("empty", "fleet", UP)
DESTRUCTION: Move = ("fleet", "empty", DESTROY)
GROWTH: Move = ("fleet", "grown", GROW)
SHRINKING: Move = ("grown", "fleet", SHRINK)
MOVES = (CREATION, DESTRUCTION, GROWTH, SHRINKING)


def verb_of(move: Move) -> str:
    """What a case calls a move."""
    verbs = {
        CREATION: "up",
        DESTRUCTION: "destroy",
        GROWTH: "up that grows",
        SHRINKING: "up that shrinks",
    }
    return verbs[move]


def case_during(
    move: Move,
    family: str,
    request: Request,
    trouble: tuple[Fault, ...],
    commands: tuple[Command, ...],
) -> Case:
    """A request of a move meets trouble."""
    return Case(
        family=f"{family}, during {verb_of(move)}",
        at=request.name,
        begins=move[0],
        target=move[1],
        trouble=trouble,
        commands=commands,
    )
