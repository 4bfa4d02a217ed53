"""What a rehearsal tells its user when it cannot go on."""


class RehearsalError(Exception):
    """The message says what happened, to what, and the next step; it needs no traceback."""
