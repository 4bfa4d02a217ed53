"""``daskfleet draft``: from a cluster that somebody made by hand to a stack file."""

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from daskfleet.access.errors import AccessError
from daskfleet.checkout import STACKS_DIR
from daskfleet.consoles import activity_shown, only_looking, open_console
from daskfleet.files import write_file
from daskfleet.google_cloud.access import NoAccessError
from daskfleet.google_cloud.asking import AnswerError
from daskfleet.planning.fleet import plan_draft
from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.drafting.compared import compared
from daskfleet.platform.drafting.draft import StackDraft, draft_stack
from daskfleet.platform.drafting.errors import DraftError
from daskfleet.platform.drafting.look import look
from daskfleet.platform.drafting.next_steps import next_steps
from daskfleet.platform.drafting.render import render_parts
from daskfleet.platform.drafting.stack_text import stack_text
from daskfleet.settings.loading import parse
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.stacks import PREFIX, SUFFIX
from daskfleet.visible import visible, visible_lines

INCOMPLETE = 3
"""Exit status when the draft is no fleet yet. 1 says that nothing can be said, 2 is Typer's."""

ClusterName = Annotated[str, typer.Argument(metavar="CLUSTER", help="The GKE cluster's name.")]
Project = Annotated[str, typer.Option(help="ID of the Google Cloud project that has the cluster.")]
Location = Annotated[str, typer.Option(help="Zone or region of its control plane.")]
NewStack = Annotated[
    str | None,
    typer.Option(
        help="Write the draft to the file of this stack, which must not be there yet. "
        "Left out: print it."
    ),
]


def command(
    cluster: ClusterName, *, project: Project, location: Location, stack: NewStack = None
) -> None:
    """Draft a stack file for a fleet beside a GKE cluster that was made by hand.

    Reads the cluster and its node pools from Google, and its DaskClusters if your kubeconfig leads
    to it. Says what differs from a fleet, and what both cost together. Changes nothing there, and
    nothing in Pulumi's state.
    Exit status: 0 the draft is a fleet, 3 something has to be completed in it, 1 nothing can be
    said, 130 interrupted.
    """
    said = open_console(stderr=True)
    with only_looking(said, DraftError, NoAccessError, AnswerError, AccessError, OSError):
        file = None if stack is None else _new_file(stack)
        with activity_shown(said) as progress:
            found = look(
                cluster,
                project=project,
                location=location,
                environment=os.environ,
                progress=progress,
            )
        draft = draft_stack(found)
        plan, problems = _planned(draft, file)
        source = f"GKE cluster {cluster} in {location} of project {project}"
        text = stack_text(draft, source=source)
        if file:
            write_file(file, text)
        else:
            typer.echo(text, nl=False)
    # On standard error where the draft is on standard output.
    console = open_console(stderr=file is None)
    render_parts(compared(found, draft, plan), console)
    for warning in plan.warnings if plan else ():
        console.print(Text(f"Warning: {visible(warning)}", style="yellow"), soft_wrap=True)
    if problems:
        console.print(Text(visible_lines(problems), style="red"), soft_wrap=True)
    for step in next_steps(stack, is_fleet=plan is not None):
        console.print(Text(visible(step)), soft_wrap=True)
    if plan is None:
        raise typer.Exit(INCOMPLETE)


def _new_file(stack: str) -> Path:
    file = STACKS_DIR / f"{PREFIX}{stack}{SUFFIX}"
    if "/" in stack or not stack.strip():
        raise DraftError(f"{stack!r} is no name for a stack file: take a word such as prod.")
    if file.exists():
        raise DraftError(
            f"{file} is there already, and nothing is written over it. Choose another --stack."
        )
    return file


def _planned(draft: StackDraft, file: Path | None) -> tuple[FleetPlan | None, str]:
    """Return the fleet of the draft, or why it is none."""
    name = file.name if file else "the draft"
    try:
        return plan_draft(parse(draft.settings, file=name)), ""
    except StackRefusedError as refusal:
        return None, str(refusal)
