"""What can go wrong with a review's rehearsal."""

from daskfleet.platform.review.errors import ReviewError


class NothingToSayError(ReviewError):
    """The change could not be rehearsed; the message says why, and what to do."""


class RevisionError(ReviewError):
    """What was asked for is no pair of commits here; the message says what is."""
