"""``daskfleet doctor``: what would make the first `pulumi up` fail."""

import asyncio
import os

import typer

from daskfleet.access.interrupts import ended_like_ctrl_c
from daskfleet.checkout import PROJECT_DIR, STACKS_DIR
from daskfleet.consoles import activity_shown, only_looking, open_console
from daskfleet.options import AsJson, StackOfFile
from daskfleet.platform.doctor.look import examine
from daskfleet.platform.doctor.render import render_report
from daskfleet.platform.doctor.stack_settings import read_settings
from daskfleet.settings.stacks import UnknownStackError

WRONG = 3
"""Exit status when something is wrong. 1 says that nothing can be said, 2 is Typer's for usage."""


def command(
    *,
    stack: StackOfFile = None,
    as_json: AsJson = False,
) -> None:
    """Say what would make `pulumi up` of a stack fail, with the fix, before it is tried.

    Looks at the stack file, credentials, APIs, permissions, quotas, zone, names, tools and the
    state's backend; with `gpu_health` also for nodes whose GPU is sick. Writes nothing. Exit
    status: 0 nothing is wrong, 3 something is, 1 it could not be run, 130 interrupted.
    """
    said = open_console(stderr=True)
    with only_looking(said, UnknownStackError), ended_like_ctrl_c():
        settings = read_settings(STACKS_DIR, stack, os.environ)
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
