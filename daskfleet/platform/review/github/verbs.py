"""What the verbs about GitHub do; ``daskfleet.platform.review.github.cli`` has their options."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer
import yaml
from rich.console import Console
from rich.text import Text

from daskfleet.checkout import PROJECT_DIR
from daskfleet.files import write_private_file
from daskfleet.platform.drift.model import Report
from daskfleet.platform.review.errors import ReviewError
from daskfleet.platform.review.github.connection import Connection, connect
from daskfleet.platform.review.github.drift_issue import settle
from daskfleet.platform.review.github.errors import GitHubError
from daskfleet.platform.review.github.patience import Patience
from daskfleet.platform.review.github.publication import Found, publish
from daskfleet.platform.review.github.publish import Target
from daskfleet.platform.review.github.pull_requests import parse_reference, read_pull_request
from daskfleet.platform.review.github.received import (
    EVENTS,
    REHEARSED,
    STACK_FILE,
    receive,
    receive_latest,
)
from daskfleet.platform.review.github.reviewed_plan import reviewed_plan

FAILED = 1
INTERRUPTED = 130


def publish_files(
    found: Found, *, stack: str, pull_request: str, commit: str, artifact_url: str
) -> None:
    """Post a review that is made of files here."""
    with _explained() as said:
        reference = parse_reference(pull_request)
        connection = _connect(reference.repository, said)
        pull = read_pull_request(connection, reference.number)
        _publish(Target(connection, pull, commit, project(), stack, artifact_url), found, said)


def publish_run(*, repository: str, stack: str, run: int, pull_request: int) -> None:
    """Post a review that is made of what a run left; of the newest without a number."""
    with _explained() as said, tempfile.TemporaryDirectory(prefix="daskfleet-") as scratch:
        connection = _connect(repository, said)
        into = Path(scratch)
        received = (
            receive(connection, run, stack, into)
            if run
            else receive_latest(connection, pull_request, stack, into)
        )
        if received is None:
            said.print("  Nothing to publish: the head has moved on, or has no preview yet.")
            return
        target = Target(
            connection, received.pull, received.commit, project(), stack, received.run_url
        )
        found = Found(into / EVENTS, into / STACK_FILE, into / REHEARSED)
        _publish(target, found, said)


def fetch_plan(*, repository: str, stack: str, commit: str, tree: str, into: Path) -> None:
    """Fetch the plan that was reviewed for a merged tree."""
    with _explained() as said:
        found = reviewed_plan(_connect(repository, said), stack=stack, commit=commit, tree=tree)
        write_private_file(into, found.content)
        said.print(f"  The plan that {found.pull_request} showed is in {into}.", soft_wrap=True)


def keep_drift_issues(reports: Sequence[Path], *, repository: str, run_url: str) -> None:
    """Open, update or close the issue of each report's stack."""
    with _explained() as said:
        connection = _connect(repository, said)
        for report in [_report(file) for file in reports]:
            action, url = settle(connection, report, project(), run_url)
            said.print(f"  {report.stack}: {action} {url}".rstrip(), soft_wrap=True)


def project() -> str:
    """Return the project's name, by this checkout and not by what is reviewed."""
    document = yaml.safe_load((PROJECT_DIR / "Pulumi.yaml").read_text("utf-8"))
    return str(document["name"])


def _publish(target: Target, found: Found, said: Console) -> None:
    if why := target.obsolete():
        said.print(f"  Nothing to publish: {why}.", soft_wrap=True)
        return
    outcome = publish(target, found)
    said.print(f"  Comment {outcome.action}: {outcome.url}", soft_wrap=True)


def _report(file: Path) -> Report:
    try:
        return Report.model_validate_json(file.read_bytes())
    except (OSError, ValueError) as error:
        raise ReviewError(f"{file} is no report of `daskfleet drift --json`: {error}") from error


def _connect(repository: str, said: Console) -> Connection:
    patience = Patience(lambda what: said.print(Text(f"  {what}"), soft_wrap=True))
    return connect(repository, os.environ, patience)


@contextmanager
def _explained() -> Iterator[Console]:
    """Give a console for what goes on, and end with a sentence instead of a traceback."""
    said = Console(stderr=True, highlight=False)
    try:
        yield said
    except (GitHubError, ReviewError) as error:
        said.print(Text(f"  {error}", style="red"), soft_wrap=True)
        raise typer.Exit(FAILED) from None
    except KeyboardInterrupt:
        said.print("  Interrupted. Run it again: it first looks at what was done, and goes on.")
        raise typer.Exit(INTERRUPTED) from None
