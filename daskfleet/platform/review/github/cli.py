"""The options of ``daskfleet review publish`` and its like: what the workflows do with GitHub.

The client of GitHub is loaded when one of them runs, since it would make every command start later.
"""

from pathlib import Path
from typing import Annotated

import typer

Repository = Annotated[str, typer.Option(help="OWNER/NAME at GitHub.")]
Stack = Annotated[str, typer.Option(help="The stack.")]


def publish(
    *,
    stack: Stack,
    pull_request: Annotated[str, typer.Option(help="OWNER/NAME#NUMBER.")],
    commit: Annotated[
        str, typer.Option(help="The reviewed commit. It must be the head of the pull request.")
    ],
    events: Annotated[Path, typer.Option(help="What the engine wrote.")],
    stack_file: Annotated[Path, typer.Option(help="The stack file of the commit.")],
    rehearsed: Annotated[
        Path | None, typer.Option(help="What `review --rehearse --format json` wrote.")
    ] = None,
    artifact_url: Annotated[str, typer.Option(help="Where the status leads.")] = "",
) -> None:
    """Post a review on its pull request: one comment, updated in place, and a commit status.

    The token is taken from GITHUB_TOKEN only. A file that does not exist is reviewed as missing.
    """
    from daskfleet.platform.review.github import publication, verbs  # noqa: PLC0415

    verbs.publish_files(
        publication.Found(events, stack_file, rehearsed),
        stack=stack,
        pull_request=pull_request,
        commit=commit,
        artifact_url=artifact_url,
    )


def publish_run(
    *,
    repository: Repository,
    stack: Stack,
    run: Annotated[int, typer.Option(help="A run of preview.yml; 0: see --pull-request.")] = 0,
    pull_request: Annotated[
        int, typer.Option(help="Publish what the newest preview of its head found.")
    ] = 0,
) -> None:
    """Post what a run of the workflow `preview` found.

    GitHub says for which pull request and commit that was; the run's artifacts are data.
    """
    if bool(run) == bool(pull_request):
        raise typer.BadParameter("Give either --run or --pull-request.")
    from daskfleet.platform.review.github import verbs  # noqa: PLC0415

    verbs.publish_run(repository=repository, stack=stack, run=run, pull_request=pull_request)


def reviewed_plan(
    *,
    repository: Repository,
    stack: Stack,
    commit: Annotated[str, typer.Option(help="The merged commit.")],
    tree: Annotated[str, typer.Option(help="Its tree: git rev-parse 'HEAD^{tree}'.")],
    into: Annotated[Path, typer.Option(help="File for `pulumi up --plan`.")],
) -> None:
    """Fetch the plan that was reviewed for the merged tree, or refuse."""
    from daskfleet.platform.review.github import verbs  # noqa: PLC0415

    verbs.fetch_plan(repository=repository, stack=stack, commit=commit, tree=tree, into=into)


def drift_issue(
    reports: Annotated[
        list[Path], typer.Argument(help="What `daskfleet drift --json` wrote, a file per stack.")
    ],
    *,
    repository: Repository,
    run_url: Annotated[str, typer.Option(help="Where the whole report is.")] = "",
) -> None:
    """Keep one open issue for each stack that has drifted, and close it when nothing differs."""
    from daskfleet.platform.review.github import verbs  # noqa: PLC0415

    verbs.keep_drift_issues(reports, repository=repository, run_url=run_url)
