"""``daskfleet rehearse record``: contribute what Google answers about an own project, redacted."""

import os
from pathlib import Path
from typing import Annotated

import httpx
import typer
from rich.text import Text

from daskfleet.files import write_private_file
from daskfleet.google_cloud.access import LOGIN, NoAccessError, get_access
from daskfleet.google_cloud.bearer import Access
from daskfleet.visible import visible_lines
from rehearsal.errors import RehearsalError
from rehearsal.progress import open_console
from rehearsal.recordings.ask import LOCATION, PROJECT, Reader
from rehearsal.recordings.fields import ANY_TEXT
from rehearsal.recordings.model import Recording

ProjectOption = Annotated[str, typer.Option(help="Project to read. It is in no recording.")]
ZoneOption = Annotated[str, typer.Option(help="Zone or region to read. The recording names it.")]
OutputOption = Annotated[
    Path, typer.Option("--output", dir_okay=False, help="New file that only you can read.")
]
YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


def record(
    *,
    project: ProjectOption,
    zone: ZoneOption,
    output: OutputOption = Path("gke-recording.jsonl"),
    yes: YesOption = False,
) -> None:
    """Record what GKE answers about your clusters, redacted, for the emulator to be measured by.

    It only reads, and does not send the file anywhere.
    """
    console = open_console(stderr=True)
    try:
        _check(project, zone, output)
        access = _access()
        console.print(
            Text(
                f"\n  Reads clusters, node pools and operations of project {project} in {zone}, "
                f"with {access.kind}.\n  Changes nothing. Writes {output}, without names, "
                "addresses, accounts, certificates, tokens, and the keys and values of labels.\n"
            ),
            soft_wrap=True,
        )
        if not yes:
            typer.confirm("  Read it?", abort=True, err=True)
        with httpx.Client() as http:
            reader = Reader(http, access=access, environment=os.environ)
            recording = reader.recording(project=project, zone=zone)
        write_private_file(output, recording.lines())
    except (RehearsalError, OSError) as error:
        console.print(Text(f"\n  {visible_lines(str(error))}", style="red"), soft_wrap=True)
        raise typer.Exit(1) from None
    typer.echo(_written(recording, output, left_out=reader.left_out))


def _check(project: str, zone: str, output: Path) -> None:
    if not PROJECT.fullmatch(project):
        raise RehearsalError(
            f"--project {project!r} is no project's ID, for example acme-research."
        )
    if not LOCATION.fullmatch(zone):
        raise RehearsalError(f"--zone {zone!r} is no zone or region, for example us-central1-c.")
    if output.exists():
        raise RehearsalError(f"{output} exists. Name another file with --output.")


def _access() -> Access:
    try:
        return get_access(os.environ)
    except NoAccessError as error:
        raise RehearsalError(f"No credentials of Google Cloud: {error}. Run `{LOGIN}`.") from error


def _written(recording: Recording, output: Path, *, left_out: int) -> str:
    """Show what the file says, so that its owner can judge it."""
    said = [value for exchange in recording.exchanges for value in exchange.answer.values()]
    texts = sorted({value for value in said if isinstance(value, str) and value != ANY_TEXT})
    asked = [
        f"  {exchange.method} {exchange.path}: {exchange.status}, {len(exchange.answer)} fields"
        for exchange in recording.exchanges
    ]
    return "\n".join(
        [
            f"{output}, readable by you alone, has:",
            *asked,
            f"All texts in it but the names of fields: {', '.join(texts) or 'none'}.",
            f"Other texts, in it as {ANY_TEXT}: {sum(value == ANY_TEXT for value in said)}.",
            f"Fields that Google does not document, left out: {left_out}.",
            "Read it before you hand it on. It belongs into bench/recordings/, where",
            "`python -m bench fidelity` counts it.",
        ]
    )
