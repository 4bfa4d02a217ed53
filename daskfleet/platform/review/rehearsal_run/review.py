"""The review of a change that was rehearsed: what a pull request from a fork gets."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from daskfleet.catalog.changes import ChangeClass
from daskfleet.platform.review.assess import assess
from daskfleet.platform.review.model import Review
from daskfleet.platform.review.policy_packs import PolicyPack
from daskfleet.platform.review.rehearsal_run.rehearse import rehearse_change
from daskfleet.platform.review.rehearsal_run.revisions import read_revisions
from rehearsal.progress import Steps, open_console
from rehearsal.workspace import is_stack_name

USUAL = (
    "Usual on 2 cores, once the toolchain is in place: BASE up in 30 to 60 s, a preview in 10 s, "
    "HEAD up in 20 to 60 s, and once more in 10 s."
)


def can_be_rehearsed(stack: str) -> bool:
    """Whether a rehearsal takes it as the name of a stack."""
    return is_stack_name(stack)


def rehearsed_review(
    change: str,
    *,
    project_dir: Path,
    stack: str,
    commit: str,
    allowed: frozenset[ChangeClass],
    packs: Sequence[PolicyPack] = (),
) -> Review:
    """Carry a change out in a rehearsal of its own, and judge it by what was foretold and seen.

    Needs no credentials and no state of the real environment, and touches neither that nor a
    rehearsal that runs. Progress goes to standard error.

    Args:
        change: ``BASE..HEAD``, as ``read_revisions`` takes it.
        project_dir: the project in its repository.
        stack: the environment; a file ``stacks/Pulumi.<stack>.yaml`` of either revision.
        commit: the commit that is reviewed; empty for HEAD.
        allowed: the destructive classes that somebody allowed.
        packs: the policies that look at HEAD's preview.

    Raises:
        ReviewError: nothing can be said of the change; the message says why, and what to do.
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    revisions = read_revisions(change, project_dir)
    console = open_console(stderr=True)
    console.print(
        f"\n  Rehearsing stack {stack}: {revisions.base}, then {revisions.head}; no cloud, no "
        f"credentials.\n  {USUAL}\n",
        soft_wrap=True,
        markup=False,
    )
    done = rehearse_change(
        revisions,
        project_dir=project_dir,
        stack=stack,
        providers="auto",
        steps=Steps(console),
        packs=packs,
    )
    return assess(
        done.preview,
        done.plan,
        commit=commit or done.commit,
        made_at=datetime.now(tz=UTC).replace(microsecond=0),
        allowed=allowed,
        rehearsed=done.rehearsed,
    )
