"""``daskfleet report``: a run as a page to look at."""

from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.text import Text

from daskfleet.checkout import PROJECT_DIR
from daskfleet.consoles import open_console
from daskfleet.files import write_file
from daskfleet.platform.report.checks import verdict
from daskfleet.platform.report.page import page
from rehearsal.report.model import Report
from rehearsal.workspace import REHEARSAL_STACK, Workspace

STYLES = {"holds": "bold green", "failed": "bold red", "not measured": "bold yellow"}


class UnreadableReportError(Exception):
    """There is no report to draw; the text says why, and what makes one."""


def command(
    *,
    stack: Annotated[str, typer.Option(help="Stack whose rehearsal is drawn.")] = REHEARSAL_STACK,
    html: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False, help="Where to write the page; else beside the report, as .html."
        ),
    ] = None,
    from_file: Annotated[
        Path | None,
        typer.Option(
            "--from",
            dir_okay=False,
            help="A saved report: what `rehearse up --json` or `rehearse status --json` printed.",
        ),
    ] = None,
) -> None:
    """Write the report of a rehearsal as one HTML page: fleet, timeline, checks and cost.

    Draws what `rehearse up` or `rehearse status` saw last, or what --from names, and looks at
    nothing else. The page needs no network. Exit status: 0 it is written, 1 there is no report or
    it cannot be written.
    """
    workspace = Workspace.of_stack(PROJECT_DIR, stack)
    source = from_file or workspace.saved_report
    target = html or source.with_suffix(".html")
    try:
        report = _read(source, workspace=None if from_file else workspace)
        write_file(target, page(report))
    except (UnreadableReportError, OSError) as error:
        open_console(stderr=True).print(Text(str(error), style="red"), soft_wrap=True)
        raise typer.Exit(1) from None
    _say(report, target, open_console())


def _read(source: Path, *, workspace: Workspace | None) -> Report:
    """Read a report; ``workspace`` is where it should be when the user named no file."""
    saved = "`daskfleet rehearse status --json > run.json`, then --from run.json"
    if workspace is not None and not source.exists():
        raise UnreadableReportError(
            f"There is no report of stack {workspace.stack}: {source} does not exist. Next step: "
            f"`{workspace.command('up')}`, or a report that was saved before: {saved}. Only a "
            "rehearsal makes one; a stack in the cloud has none."
        )
    try:
        return Report.model_validate_json(source.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the document"
        raise UnreadableReportError(
            f"{source} is no report of this release: {where}: {first['msg']}. Next step: make it "
            f"anew, {saved}."
        ) from error


def _say(report: Report, target: Path, console: Console) -> None:
    outcome, text = verdict(report.claims)
    console.print(
        Text.assemble((f"Stack {report.stack}: {text}", STYLES[outcome]), f"\nWritten: {target}"),
        soft_wrap=True,
    )
