"""``daskfleet doctor``: what would make the first `pulumi up` fail."""

import asyncio
import os
from typing import Annotated

import typer

from daskfleet.checkout import PROJECT_DIR
from daskfleet.consoles import activity_shown, only_looking, open_console
from daskfleet.platform.doctor.look import examine
from daskfleet.platform.doctor.render import render_report
from daskfleet.platform.doctor.stack_settings import read_settings
from daskfleet.settings.stacks import UnknownStackError

WRONG = 3
"""Exit status when something is wrong. 1 says that nothing can be said, 2 is Typer's for usage."""


def command(
    *,
    stack: Annotated[
        str | None,
        typer.Option(
            envvar="PULUMI_STACK",
            help="Stack to look at; may be left out where there is only one.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Say what would make `pulumi up` of a stack fail, with the fix, before it is tried.

    Looks at the stack file, credentials, APIs, permissions, quotas, zone, names, tools and the
    state's backend. Writes nothing. Exit status: 0 nothing is wrong, 3 something is, 1 it could
    not be run, 130 interrupted.
    """
    said = open_console(stderr=True)
    with only_looking(said, UnknownStackError):
        settings = read_settings(PROJECT_DIR / "stacks", stack, os.environ)
        with activity_shown(said) as progress:
            report = asyncio.run(
                examine(
                    settings, environment=os.environ, project_dir=PROJECT_DIR, progress=progress
                )
            )
    if as_json:
        typer.echo(report.model_dump_json(indent=2))
    else:
        render_report(report, open_console())
    if report.has_wrong:
        raise typer.Exit(WRONG)
