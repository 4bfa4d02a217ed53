"""``daskfleet recover``: one command between a killed `pulumi` and the next `pulumi up`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from daskfleet.access.errors import AccessError
from daskfleet.access.pulumi_cli import Pulumi
from daskfleet.platform.recovery.errors import RecoveryError
from daskfleet.platform.recovery.recover import RecoveryResult, recover
from daskfleet.pressure import INTERRUPTED


def command(
    stack: Annotated[
        str | None, typer.Option(help="The stack. Default: PULUMI_STACK, or the selected one.")
    ] = None,
    *,
    break_lock: Annotated[
        bool,
        typer.Option("--break-lock", help="Release a lock even if its holder may still run."),
    ] = False,
    existing: Annotated[
        bool,
        typer.Option(
            "--existing",
            help='After "already exists": record what `pulumi up` would create and exists.',
        ),
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Record with --existing without a question.")
    ] = False,
) -> None:
    """After a killed or lost `pulumi`: release its lock, and record what it had created.

    Runs `pulumi` in the current directory. Creates, changes and deletes nothing in Google Cloud
    or Kubernetes.
    """
    try:
        found = recover(
            Pulumi(project_dir=Path(), stack=stack),
            break_lock=break_lock,
            look_for_existing=existing,
            confirm=lambda urns: yes or _asked(urns),
        )
    except (AccessError, RecoveryError) as error:
        typer.secho(f"daskfleet recover: {error}", err=True, fg="red")
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        typer.echo(
            "daskfleet recover: interrupted. What it had released or recorded by then is kept. "
            "Run it again.",
            err=True,
        )
        raise typer.Exit(INTERRUPTED) from None
    for line in _told(found):
        typer.echo(line)


def _asked(urns: Iterable[str]) -> bool:
    names = "\n".join(f"  {_short(urn)}" for urn in urns)
    return typer.confirm(
        f"Whatever exists of these becomes the stack's own, and `destroy` would delete it:\n"
        f"{names}\nDoes this stack own them?"
    )


def _told(found: RecoveryResult) -> Iterable[str]:
    for file in found.dropped:
        yield f"Deleted {file}, which was cut short; the state beside it is whole."
    if found.lock_of:
        yield f"Released the lock of {found.lock_of}."
    for urn in found.recorded:
        yield f"Recorded {_short(urn)}: it exists."
    for urn in found.not_there:
        yield f"Forgot the creation of {_short(urn)}: it does not exist."
    for urn in found.forgotten:
        yield f"Forgot the creation of {_short(urn)}: check yourself whether it exists."
    yield "Now run `pulumi up`, or `pulumi destroy` if that was what was cut off."


def _short(urn: str) -> str:
    """Type and name, for example ``NodePool a100-nodes``."""
    kind, name = urn.split("::")[-2:]
    return f"{kind.split(':')[-1]} {name}"
