"""A change that removes a stack: nobody's `pulumi` acts on that, and afterwards nobody's can."""

from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.review.model import Preview, Rehearsed
from daskfleet.platform.review.rehearsal_run.bring_up import PROJECT, bring_up, planned
from daskfleet.platform.review.rehearsal_run.outcome import reasons
from daskfleet.platform.review.rehearsal_run.running import RunningFleet
from daskfleet.platform.review.rehearsal_run.sides import Sides
from daskfleet.platform.review.rehearsal_run.words import what_happened
from rehearsal.engine.engine import EngineFailedError


def take_down(
    sides: Sides, running: RunningFleet, *, stack: str
) -> tuple[Preview, FleetPlan | None, Rehearsed]:
    """Destroy the fleet of BASE with BASE's program, as somebody would have to.

    Raises:
        NothingToSayError: BASE does not come up.
        RehearsalError: the stage broke, or Ctrl-C was pressed.
    """
    base = sides.base.revision
    before = bring_up(sides.base, running, stack=stack)
    try:
        running.run("BASE: destroy", "destroy", "--yes", "--skip-preview")
        said = f"`pulumi destroy` in a checkout of {base} goes through"
        lines = what_happened(before, running.see())
    except EngineFailedError:
        said = f"`pulumi destroy` in a checkout of {base} is refused"
        lines = (reasons(running.said_by("destroy")),)
    warning = (
        f"stacks/Pulumi.{stack}.yaml is removed. That alone changes nothing: the fleet keeps "
        f"running, and is paid for. To end it, run `pulumi destroy` in a checkout of {base} first."
    )
    return (
        Preview(project=PROJECT, stack=stack, warnings=(warning,)),
        planned(sides.base),
        Rehearsed(
            base=base.commit,
            head=sides.head.revision.commit,
            lines=(said, *lines),
            differences=(),
            seconds_without_scheduler={},
            second_up_changes=None,
            stood_in=(*running.stood_in, *sides.stood_in),
        ),
    )
