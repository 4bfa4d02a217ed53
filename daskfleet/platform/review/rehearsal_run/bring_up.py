"""The fleet as it is at BASE: where a change begins."""

from daskfleet.planning.fleet import plan_draft
from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.review.rehearsal_run.errors import NothingToSayError
from daskfleet.platform.review.rehearsal_run.fleet import Fleet
from daskfleet.platform.review.rehearsal_run.outcome import reasons
from daskfleet.platform.review.rehearsal_run.running import RunningFleet
from daskfleet.platform.review.rehearsal_run.sides import Side
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.stack_file import read_stack_file
from rehearsal.engine.engine import EngineFailedError
from rehearsal.errors import RehearsalError
from rehearsal.stage.stack_file import check_stack_file

PROJECT = "daskfleet"
UP = ("up", "--yes", "--skip-preview")


def bring_up(base: Side, running: RunningFleet, *, stack: str) -> Fleet:
    """Bring the fleet up with the program and the settings of a revision.

    Raises:
        NothingToSayError: it does not come up.
        RehearsalError: the stage broke, or Ctrl-C was pressed.
    """
    failure = refusal(base, running, stack=stack)
    if not failure:
        running.move_to(base)
        try:
            running.run("BASE: pulumi up", *UP)
        except EngineFailedError:
            failure = reasons(running.said_by("up"))
    if failure:
        raise NothingToSayError(
            f"The fleet does not come up as it is at {base.revision}, so nothing can be said "
            f"about the change: {failure}"
        )
    return running.see()


def refusal(side: Side, running: RunningFleet, *, stack: str) -> str:
    """Why the rehearsal cannot even read a revision's stack file; empty when it can."""
    try:
        check_stack_file(running.workspace_of(side))
    except RehearsalError as error:
        return str(error).replace(str(side.settings), f"stacks/Pulumi.{stack}.yaml")
    return ""


def planned(side: Side) -> FleetPlan | None:
    """The fleet of a revision's stack file; None when it is refused.

    The program says in its preview why, where readers look for it.
    """
    try:
        return plan_draft(read_stack_file(side.stack_file))
    except StackRefusedError:
        return None
