"""Options that several verbs share."""

from typing import Annotated

import typer

StackOfTeam = Annotated[
    str | None,
    typer.Option(
        envvar="PULUMI_STACK",
        help="For platform engineers: the stack, read with the pulumi CLI. Without it, your "
        "kubeconfig is all that is needed.",
    ),
]

SelectedStack = Annotated[
    str | None, typer.Option(help="Stack to look at. Default: the one that pulumi has selected.")
]

StackOfFile = Annotated[
    str | None,
    typer.Option(
        envvar="PULUMI_STACK",
        help="Stack whose file is read. May be left out if there is only one.",
    ),
]
"""Of verbs that need no state: neither Pulumi nor its backend is asked."""

AsJson = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]
