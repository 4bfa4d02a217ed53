"""What the run of a pull request's code left, and which pull request that was for."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from github.PullRequest import PullRequest
from github.WorkflowRun import WorkflowRun

from daskfleet.files import make_private_directory, write_private_file
from daskfleet.platform.review.github.artifacts import find_artifact, read_files
from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.github.errors import GitHubError
from daskfleet.platform.review.github.pull_requests import pull_request_of, read_pull_request
from daskfleet.stack_text.project_file import PROJECT_FILE

PRODUCER = ".github/workflows/preview.yml"
EVENTS = "events.jsonl"
STACK_FILE = "stack.yaml"
REHEARSED = "rehearsed.json"
ARTIFACTS: Mapping[str, tuple[str, ...]] = {
    "review": (EVENTS, STACK_FILE, PROJECT_FILE),
    "rehearsed": (REHEARSED,),
}
"""Artifacts of a stack by the beginning of their name, and the files that are read of each."""


@dataclass(frozen=True)
class Received:
    """A run's pull request, and the files that came from the run."""

    pull: PullRequest
    commit: str
    run_url: str
    files: frozenset[str]


def receive(connection: Connection, run_id: int, stack: str, into: Path) -> Received | None:
    """Fetch what a run left for a stack; None when its pull request has moved on.

    A run that left nothing is received too: its pull request must not keep an old review.
    """
    run = connection.repository.get_workflow_run(run_id)
    came_from = connection.insist(f"Reading run {run_id}", lambda: (run.path, run.event))
    if came_from != (PRODUCER, "pull_request"):
        raise GitHubError(
            f"Run {run_id} is of {came_from[0]} on {came_from[1]}, not of {PRODUCER} on "
            "pull_request. Give the run that the event `workflow_run` names."
        )
    pull = pull_request_of(connection, run)
    return None if pull is None else _fetch(connection, pull, run, stack, into)


def receive_latest(connection: Connection, number: int, stack: str, into: Path) -> Received | None:
    """Fetch what the newest run for a pull request's head left; None when there is none yet."""
    pull = read_pull_request(connection, number)
    for run in runs_for(connection, pull.head.sha):
        received = _fetch(connection, pull, run, stack, into)
        if received.files:
            return received
    return None


def runs_for(connection: Connection, commit: str) -> list[WorkflowRun]:
    """Return the previews of a commit, the newest first."""
    workflow = connection.repository.get_workflow(PRODUCER.rpartition("/")[2])
    runs = connection.insist(
        f"Looking for the previews of {commit[:8]}",
        lambda: list(workflow.get_runs(head_sha=commit, event="pull_request")),
    )
    return sorted(runs, key=lambda run: run.id, reverse=True)


def _fetch(
    connection: Connection, pull: PullRequest, run: WorkflowRun, stack: str, into: Path
) -> Received:
    files: dict[str, bytes] = {}
    for kind, names in ARTIFACTS.items():
        if artifact := find_artifact(connection, run, f"{kind}-{stack}"):
            files |= read_files(connection, artifact, names)
    make_private_directory(into)
    for name, content in files.items():
        write_private_file(into / name, content)
    return Received(pull, run.head_sha, run.html_url, frozenset(files))
