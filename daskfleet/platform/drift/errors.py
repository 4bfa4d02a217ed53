"""Why the comparison could not be made."""


class DriftError(Exception):
    """The fleet or its state could not be read; the message says what to do."""
