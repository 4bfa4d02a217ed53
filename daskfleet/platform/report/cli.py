"""``daskfleet report``: a fleet as a page to look at, one that runs or one that was rehearsed."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter
from rich.console import Console
from rich.text import Text

from daskfleet.access.interrupts import ended_like_ctrl_c
from daskfleet.checkout import PROJECT_DIR, STACKS_DIR
from daskfleet.consoles import activity_shown, only_looking, open_console
from daskfleet.files import write_file, write_private_file
from daskfleet.options import AsJson
from daskfleet.platform.report.checks import Outcome, verdict
from daskfleet.platform.report.page import page
from daskfleet.platform.report.rehearsed import UnreadableReportError, read_report
from daskfleet.platform.report.running.every_stack import SeenStack, look_at, stack_names
from daskfleet.platform.report.running.gather import Gatherer, GatherError, Place
from daskfleet.platform.report.running.index_page import LONGEST_NAME, index_page, stack_row
from daskfleet.platform.report.running.model import FleetView
from daskfleet.platform.report.running.page import running_page
from daskfleet.platform.report.running.page import verdict as running_verdict
from daskfleet.platform.report.running.page_files import page_files
from daskfleet.visible import in_short
from rehearsal.workspace import REHEARSAL_STACK, Workspace

NOT_READ = 3
"""Exit status of `--all` where a stack could not be read."""

INDEX = "report-all.html"
ACTIVITY = "reading the state, Kubernetes, Google Cloud, drift and doctor"

STYLES: dict[Outcome, str] = {
    "holds": "bold green",
    "failed": "bold red",
    "not measured": "bold yellow",
}


def command(
    *,
    stack: Annotated[
        str | None,
        typer.Option(help="A stack that runs, as pulumi names it; it is read and not changed."),
    ] = None,
    is_all: Annotated[
        bool, typer.Option("--all", help="Every stack of the project, and a page that lists them.")
    ] = False,
    rehearsal: Annotated[
        str | None, typer.Option(help="Stack whose rehearsal is drawn. Default: `rehearsal`.")
    ] = None,
    from_file: Annotated[
        Path | None,
        typer.Option(
            "--from",
            dir_okay=False,
            help="A saved report: what `rehearse up --json` or `rehearse status --json` printed.",
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False,
            help="Where to write the page. Default: report-STACK.html here, or beside the report "
            "of a rehearsal. With --all the list, report-all.html, with the pages beside it.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw a fleet as one HTML page: nodes, GPUs and pods by team, health, drift and cost.

    With --stack a running one, from Google's and Kubernetes' APIs, with your own credentials. What
    cannot be read is said in its place, and hides nothing else. With --all every stack of the
    project, one after the other. Without either what `rehearse up` or `rehearse status` saw last,
    with the timeline of `up` and all checks. Changes nothing, and the page needs no network. Exit
    status: 0 it is written, 1 nothing can be said or written, 3 a stack of --all could not be
    read, 130 interrupted.
    """
    if (stack is not None) + is_all + (rehearsal is not None) + (from_file is not None) > 1:
        raise typer.BadParameter(
            "--stack, --all, --rehearsal and --from exclude each other. Give one of them, or none "
            "for the rehearsal of this checkout."
        )
    if is_all:
        _draw_all(html or Path(INDEX), as_json=as_json)
        return
    if stack is not None:
        _draw_running(stack, html=html, as_json=as_json)
        return
    if as_json:
        raise typer.BadParameter(
            "--json is for --stack and --all; `rehearse status --json` is a rehearsal's."
        )
    workspace = Workspace.of_stack(PROJECT_DIR, rehearsal or REHEARSAL_STACK)
    with only_looking(open_console(stderr=True), UnreadableReportError, OSError):
        source = from_file or workspace.saved_report
        report = read_report(source, workspace=None if from_file else workspace)
        target = html or source.with_suffix(".html")
        write_file(target, page(report))
    _say(report.stack, *verdict(report.claims), target, open_console())


def _draw_running(stack: str, *, html: Path | None, as_json: bool) -> None:
    said = open_console(stderr=True)
    with only_looking(said, GatherError, OSError), ended_like_ctrl_c():
        with activity_shown(said) as progress:
            progress(ACTIVITY)
            view = asyncio.run(_view(stack))
        if as_json:
            typer.echo(view.model_dump_json(indent=2))
            return
        target = html or Path(f"report-{view.stack}.html")
        write_private_file(target, running_page(view))
    _say_unread(view, said)
    _say(view.stack, *running_verdict(view), target, open_console())


def _draw_all(target: Path, *, as_json: bool) -> None:
    said = open_console(stderr=True)
    with only_looking(said, GatherError, OSError), ended_like_ctrl_c():
        with activity_shown(said) as progress:
            stacks = asyncio.run(_every_stack(progress))
        if as_json:
            typer.echo(TypeAdapter(tuple[SeenStack, ...]).dump_json(stacks, indent=2).decode())
        else:
            _write_all(stacks, target)
    if any(each.view is None for each in stacks):
        raise typer.Exit(NOT_READ)


async def _every_stack(progress: Callable[[str], None]) -> tuple[SeenStack, ...]:
    progress("asking Pulumi which stacks there are")
    names = await stack_names(PROJECT_DIR, os.environ)
    seen = []
    for number, name in enumerate(names, start=1):
        progress(f"stack {in_short(name, LONGEST_NAME)}, {number} of {len(names)}: {ACTIVITY}")
        seen.append(await look_at(name, _view))
    return tuple(seen)


def _write_all(stacks: tuple[SeenStack, ...], target: Path) -> None:
    """Write the pages, then the list of them, so that none of its links leads nowhere."""
    files = page_files([each.stack for each in stacks], index=target.name)
    console = open_console()
    for each in stacks:
        if each.view:
            write_private_file(target.with_name(files[each.stack]), running_page(each.view))
    write_private_file(target, index_page(stacks, files))
    for each in stacks:
        row = stack_row(each, files[each.stack])
        page_of = f" ({row.file})" if row.file else ""
        line = Text(f"Stack {row.stack}: {row.says}{page_of}", STYLES[row.outcome])
        console.print(line, soft_wrap=True)
    console.print(Text(f"Written: {target}"), soft_wrap=True)


async def _view(stack: str) -> FleetView:
    return await Gatherer(_place(stack)).view()


def _place(stack: str) -> Place:
    return Place(
        stack=stack, project_dir=PROJECT_DIR, stacks_dir=STACKS_DIR, environment=os.environ
    )


def _say_unread(view: FleetView, console: Console) -> None:
    for source in view.unread:
        why = source.why_not or "; ".join(source.lacks)
        console.print(Text(f"not known: {source.name}: {why}", style="yellow"), soft_wrap=True)


def _say(stack: str, outcome: Outcome, text: str, target: Path, console: Console) -> None:
    console.print(
        Text.assemble((f"Stack {stack}: {text}", STYLES[outcome]), f"\nWritten: {target}"),
        soft_wrap=True,
    )
