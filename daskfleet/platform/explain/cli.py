"""``daskfleet settings``: what a stack declares, and where each value is from."""

from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter

from daskfleet.checkout import STACKS_DIR
from daskfleet.consoles import only_looking, open_console
from daskfleet.options import AsJson, StackOfFile
from daskfleet.planning.fleet import plan_draft
from daskfleet.platform.explain.origins import Setting, settings_of
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.stack_file import read_stack_file
from daskfleet.settings.stacks import UnknownStackError, stack_file
from daskfleet.visible import visible

Written = Annotated[
    bool, typer.Option("--written", help="Only what a file says, without daskfleet's defaults.")
]


def command(
    *, stack: StackOfFile = None, written: Written = False, as_json: AsJson = False
) -> None:
    """Print every setting of a stack, with the file and line that it is from.

    Reads stacks/Pulumi.<stack>.yaml and the defaults of Pulumi.yaml, and nothing else. A value
    without a file is a default of daskfleet.
    Exit status: 0 they were printed, 1 the stack file is refused, or it cannot be told which stack
    is meant.
    """
    with only_looking(open_console(stderr=True), UnknownStackError, StackRefusedError):
        draft = read_stack_file(stack_file(STACKS_DIR, stack))
        declared = plan_draft(draft).stack
    for notice in draft.notices:
        typer.echo(f"{draft.file}: {notice}", err=True)
    settings = [each for each in settings_of(draft, declared) if each.file or not written]
    if as_json:
        typer.echo(TypeAdapter(list[Setting]).dump_json(settings, indent=2).decode())
        return
    for each in settings:
        typer.echo(visible(_told(each)))


def _told(setting: Setting) -> str:
    value = TypeAdapter(object).dump_json(setting.value).decode()
    return f"{setting.key}: {value}  # {_origin(setting)}"


def _origin(setting: Setting) -> str:
    if setting.file is None:
        return "default"
    file = str(_from_here(setting.file))
    return f"{file}:{setting.line}" if setting.line else file


def _from_here(file: str) -> Path:
    path, here = Path(file), Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
