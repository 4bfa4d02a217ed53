"""Why the fleet could not be reached."""


class AccessError(Exception):
    """State or cluster cannot be read; the message says what to do."""
