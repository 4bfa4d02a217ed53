"""What can go wrong with a review's rehearsal."""


class NothingToSayError(Exception):
    """The change could not be rehearsed; the message says why, and what to do."""


class RevisionError(Exception):
    """What was asked for is no pair of commits here; the message says what is."""
