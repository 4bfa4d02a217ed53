"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

from rehearsal.workspace import is_stack_name


def _stack_name(name: str) -> str:
    """Refuse what Pulumi would refuse, and what leads out of the project: `down` deletes."""
    if not is_stack_name(name):
        raise typer.BadParameter(
            f"{name!r} is no stack's name: letters, digits, hyphens, underscores and dots, "
            "beginning with a letter or digit, for example prod."
        )
    return name


StackOption = Annotated[
    str,
    typer.Option(callback=_stack_name, help="Stack to rehearse: stacks/Pulumi.<stack>.yaml."),
]
ConfigFileOption = Annotated[
    Path | None,
    typer.Option(
        exists=True,
        dir_okay=False,
        help="Settings to rehearse instead of the stack's own file.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="What it is called.")]
