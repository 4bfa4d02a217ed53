"""Why there is no review."""


class ReviewError(Exception):
    """A preview could not be run or found; the message says what to do."""
