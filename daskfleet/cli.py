"""The command ``daskfleet``."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def _ended_by_ctrl_c() -> Iterator[None]:
    """While code is loaded, end by Ctrl-C without a traceback of some import."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is interrupted
        return
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, before)


with _ended_by_ctrl_c():
    import importlib
    from importlib.metadata import version
    from typing import Annotated, Any

    import typer
    from typer.core import TyperCommand, TyperGroup

    from daskfleet.verbs import VERBS, Verb


class VerbsWhenCalled(TyperGroup):
    """Lists the verbs without their code, and loads the one that is called.

    All of them take more than a second of imports, of which most are for others.
    """

    def __init__(self, **attributes: Any) -> None:
        listed = [
            TyperCommand(name, help=verb.help, rich_help_panel=verb.users)
            for name, verb in VERBS.items()
        ]
        super().__init__(**{**attributes, "commands": listed})

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Load the verb that is called."""
        name, found, rest = super().resolve_command(ctx, args)
        return name, found and load(name or "", VERBS[name or ""]), rest


def load(name: str, verb: Verb) -> Any:
    """Import a verb's code, and return its command."""
    with _ended_by_ctrl_c():
        code = getattr(importlib.import_module(verb.module), verb.name_in_module)
    if isinstance(code, typer.Typer):
        command: Any = typer.main.get_group(code)
    else:
        alone = typer.Typer(add_completion=False, pretty_exceptions_show_locals=False)
        alone.command(name)(code)
        command = typer.main.get_command(alone)
    command.name = name
    return command


app = typer.Typer(
    name="daskfleet",
    cls=VerbsWhenCalled,
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)


def _tell_version(asked: bool) -> None:  # noqa: FBT001 - Typer's signature of a callback
    if asked:
        typer.echo(f"daskfleet {version('daskfleet')}")
        raise typer.Exit


@app.callback()
def daskfleet(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_tell_version, help="Say which one."),
    ] = False,
) -> None:
    """GPU Dask clusters for the teams of an organisation, on Google Kubernetes Engine."""


def main() -> None:
    """Run the command."""
    app(prog_name="daskfleet")
