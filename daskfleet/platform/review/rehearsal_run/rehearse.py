"""Rehearsing a change from the outside: what goes in, what comes out, what can go wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from daskfleet.access.interrupts import ended_like_ctrl_c
from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.review.model import Preview, Rehearsed
from daskfleet.platform.review.policy_packs import PolicyPack
from daskfleet.platform.review.rehearsal_run.carry_out import carry_out
from daskfleet.platform.review.rehearsal_run.errors import NothingToSayError
from daskfleet.platform.review.rehearsal_run.revisions import Revisions
from daskfleet.platform.review.rehearsal_run.running import running_fleet
from daskfleet.platform.review.rehearsal_run.sides import write_sides
from daskfleet.platform.review.rehearsal_run.take_down import take_down
from daskfleet.platform.review.rehearsal_run.trees import private_folder
from rehearsal.engine.engine import InterruptedByUserError
from rehearsal.explained import EXPECTED
from rehearsal.kubernetes_requests import UNANSWERED
from rehearsal.progress import Steps
from rehearsal.providers.install import Choice


@dataclass(frozen=True, kw_only=True)
class RehearsedChange:
    """What the review of a rehearsed change is made of."""

    preview: Preview
    """What was foretold of HEAD on the fleet of BASE."""

    plan: FleetPlan | None
    """HEAD's fleet; None where there is none, or its settings are refused."""

    commit: str
    """HEAD; empty for a working tree with uncommitted changes."""

    rehearsed: Rehearsed


def rehearse_change(
    revisions: Revisions,
    *,
    project_dir: Path,
    stack: str,
    providers: Choice,
    steps: Steps,
    packs: Sequence[PolicyPack] = (),
) -> RehearsedChange:
    """Bring a stack up as it is at BASE, preview and apply HEAD, and see what happens.

    Works in a private folder, on free ports; several may run at once, and beside `rehearse up`.
    Nothing is left of it, also after Ctrl-C.

    Raises:
        RevisionError: git cannot give the two revisions, or neither has the stack.
        NothingToSayError: BASE does not come up, or the stage broke.
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    with ended_like_ctrl_c(), private_folder() as folder:
        sides = write_sides(revisions, folder, stack=stack, project_dir=project_dir)
        try:
            with running_fleet(
                folder / "stage", stack=stack, providers=providers, steps=steps
            ) as running:
                preview, plan, rehearsed = (
                    carry_out(sides, running, stack=stack, packs=packs)
                    if sides.head.has_stack
                    else take_down(sides, running, stack=stack)
                )
        except InterruptedByUserError:
            raise KeyboardInterrupt from None
        except (*EXPECTED, *UNANSWERED) as error:
            raise NothingToSayError(
                f"The rehearsal failed, so nothing can be said about the change: {error}"
            ) from error
    head = revisions.head
    return RehearsedChange(
        preview=preview,
        plan=plan,
        commit="" if head.is_working_tree else head.commit,
        rehearsed=rehearsed,
    )
