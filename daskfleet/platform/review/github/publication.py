"""From what a run found to what its pull request shows."""

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from daskfleet.catalog.changes import ChangeClass
from daskfleet.platform.review.document import ReviewDocumentError, from_json
from daskfleet.platform.review.errors import ReviewError
from daskfleet.platform.review.github.comments import Outcome
from daskfleet.platform.review.github.errors import GitHubError
from daskfleet.platform.review.github.publish import Target, post, post_failure, read_labels
from daskfleet.platform.review.github.step_summary import write_summary
from daskfleet.platform.review.markdown.comment import step_summary
from daskfleet.platform.review.model import Preview, Review
from daskfleet.platform.review.produce import produce
from daskfleet.platform.review.read import read_preview

NO_REVIEW = "No review could be made. The log of the run says why"


@dataclass(frozen=True)
class Found:
    """The files that a run of the pull request's code left; any may be missing or nonsense."""

    events: Path
    stack_file: Path
    rehearsed: Path | None = None


def publish(target: Target, found: Found) -> Outcome:
    """Judge what was found, and post it; what cannot be judged is posted as that."""
    try:
        labels = read_labels(target)
        review = make_review(target, found, labels.allowed)
        outcome = post(target, review, labels)
    except Exception as error:
        # Whatever it was, a success of an earlier review must not stand for this commit. That this
        # cannot be said either is not worth more than the reason.
        with suppress(GitHubError):
            post_failure(target, str(error) if isinstance(error, ReviewError) else NO_REVIEW)
        raise
    write_summary(step_summary(review))
    return outcome


def make_review(target: Target, found: Found, allowed: frozenset[ChangeClass]) -> Review:
    """Return the review of a preview, or else of a rehearsal alone.

    Raises:
        ReviewError: what was found is of another stack, or cannot be read.
    """
    if not found.events.exists() and (alone := _rehearsed(found.rehearsed)):
        return replace(
            alone,
            project=target.project,
            stack=target.stack,
            commit=target.commit,
            made_at=datetime.now(tz=UTC),
        )
    preview = _preview(found.events)
    of = (preview.project, preview.stack)
    if preview.steps and of != (target.project, target.stack):
        raise ReviewError(
            f"The events are of {'/'.join(of)}, not of {target.project}/{target.stack}."
        )
    preview = replace(preview, project=target.project, stack=target.stack)
    seen = None
    try:
        if document := _rehearsed(found.rehearsed):
            seen = document.rehearsed
    except ReviewError as error:
        # The preview of the real fleet stands without it.
        preview = replace(preview, warnings=(*preview.warnings, str(error)))
    return produce(
        preview,
        stack_file=found.stack_file,
        commit=target.commit,
        allowed=allowed,
        rehearsed=seen,
    )


def _preview(events: Path) -> Preview:
    if not events.exists():
        return read_preview(())
    with events.open(encoding="utf-8", errors="replace") as lines:
        return read_preview(lines)


def _rehearsed(document: Path | None) -> Review | None:
    if document is None or not document.exists() or not document.stat().st_size:
        return None
    try:
        return from_json(document.read_bytes())
    except ReviewDocumentError as error:
        raise ReviewError(f"What the rehearsal left: {error}") from error
