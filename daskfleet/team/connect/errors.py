"""Why there is no connection."""


class ConnectError(Exception):
    """The team's cluster cannot be connected to; the message says what to do."""
