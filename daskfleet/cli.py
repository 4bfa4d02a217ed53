"""The command ``daskfleet``."""

from daskfleet.pressure import ends_in_words, explained, interrupts_end_at_once, loading

with loading():
    import importlib
    from importlib.metadata import version
    from typing import Annotated, Any

    import typer
    from typer.core import TyperCommand, TyperGroup

    from daskfleet.parts import missing_parts_told, require_checkout
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

    def make_context(self, *arguments: Any, **further: Any) -> Any:
        """Read the arguments; help is printed here, too."""
        with explained():
            return super().make_context(*arguments, **further)

    def invoke(self, ctx: Any) -> Any:
        """Run the verb."""
        with explained(), missing_parts_told():
            return super().invoke(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Load the verb that is called."""
        name, found, rest = super().resolve_command(ctx, args)
        return name, found and load(name or "", VERBS[name or ""]), rest


def load(name: str, verb: Verb) -> Any:
    """Import a verb's code, and return its command."""
    if verb.needs_checkout:
        require_checkout(name)
    with loading(), missing_parts_told():
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
    try:
        with ends_in_words():
            app(prog_name="daskfleet")
    finally:
        interrupts_end_at_once()  # while Python ends
