"""The comment on a pull request: what a reader needs first, first; never too long for GitHub."""

from daskfleet.platform.review.markdown.cost import cost
from daskfleet.platform.review.markdown.diff import full_diff
from daskfleet.platform.review.markdown.feel import feel
from daskfleet.platform.review.markdown.findings import errors, placement, policies, warnings
from daskfleet.platform.review.markdown.footer import cut, footer
from daskfleet.platform.review.markdown.picture import picture
from daskfleet.platform.review.markdown.rehearsed import rehearsed
from daskfleet.platform.review.markdown.section import Section
from daskfleet.platform.review.markdown.size import (
    COMMENT_LIMIT_BYTES,
    STEP_SUMMARY_LIMIT_BYTES,
    fit,
)
from daskfleet.platform.review.markdown.top import top
from daskfleet.platform.review.model import Review

CUT_BYTES = 1_500
"""Room for the line that says what is left out."""


def comment(review: Review) -> str:
    """The comment."""
    elsewhere = "in the step summary and the artifact of the run"
    return _document(review, COMMENT_LIMIT_BYTES, elsewhere)


def step_summary(review: Review) -> str:
    """The same for ``$GITHUB_STEP_SUMMARY``, which holds sixteen times as much."""
    return _document(review, STEP_SUMMARY_LIMIT_BYTES, "in the artifact of the run")


def _document(review: Review, limit_bytes: int, elsewhere: str) -> str:
    first, last = top(review), footer(review)
    frame = len(first.encode()) + len(last.encode()) + CUT_BYTES
    fitted = fit(_sections(review), limit_bytes - frame)
    remark = [cut(fitted.left_out, review, elsewhere=elsewhere)] if fitted.left_out else []
    return "\n\n".join([first, *fitted.blocks, *remark, last]) + "\n"


def _sections(review: Review) -> tuple[Section, ...]:
    return (
        errors(review),
        *feel(review),
        picture(review),
        *cost(review),
        placement(review),
        policies(review),
        warnings(review),
        *rehearsed(review),
        full_diff(review),
    )
