"""What going back would do: BASE previewed on the fleet that HEAD has made; nothing is applied."""

from daskfleet.planning.changes.consequence import Consequence
from daskfleet.planning.changes.consequences import consequences
from daskfleet.platform.review.foretold import resource_changes
from daskfleet.platform.review.rehearsal_run.bring_up import planned
from daskfleet.platform.review.rehearsal_run.outcome import reasons
from daskfleet.platform.review.rehearsal_run.running import RunningFleet
from daskfleet.platform.review.rehearsal_run.sides import Side
from daskfleet.platform.review.wording import happens, in_figures
from rehearsal.engine.engine import EngineFailedError

UNNOTICED = "nothing that people notice"


def way_back(base: Side, running: RunningFleet) -> tuple[str, ...]:
    """Say what people would feel, the worst first, or why nobody can say it.

    It takes a preview, which is ten seconds; carrying it out would take another minute, and the
    review of that change tells the same when somebody asks for it.

    Raises:
        RehearsalError: the stage broke, or Ctrl-C was pressed.

    """
    plan = planned(base)
    if plan is None:
        return ("not known: this checkout refuses the stack file of BASE",)
    running.move_to(base)
    try:
        running.preview("BASE: preview of the way back", ())
    except EngineFailedError:
        return (f"a preview of it fails: {reasons(running.said_by('preview'))}",)
    foreseen = consequences(resource_changes(running.said_by("preview").steps), plan)
    return tuple(_line(each) for each in foreseen) or (UNNOTICED,)


def _line(consequence: Consequence) -> str:
    figures = in_figures(consequence)
    told = f"{consequence.subject}: {happens(consequence)}"
    return f"{told}; {figures}" if figures else told
