"""Rehearsals that never were."""

from daskfleet.platform.review.model import Discrepancy, Rehearsed


def rehearsed_as(*, error: str = "", differences: int = 0) -> Rehearsed:
    """A rehearsal that failed, or that saw so many differences."""
    return Rehearsed(
        base="aaaaaaaaaaaa",
        head="bbbbbbbbbbbb",
        lines=(),
        differences=(Discrepancy(subject="team alpha, workers", foretold="stay", seen="all went"),)
        * differences,
        seconds_without_scheduler={},
        second_up_changes=None if error else 0,
        stood_in=(),
        error=error,
    )
