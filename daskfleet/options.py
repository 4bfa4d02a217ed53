"""Options that several verbs share."""

from typing import Annotated

import typer

StackOfTeam = Annotated[
    str | None,
    typer.Option(
        envvar="PULUMI_STACK",
        help="For platform engineers: the stack to ask, with the pulumi CLI. Left out, your "
        "kubeconfig is all that is needed.",
    ),
]
