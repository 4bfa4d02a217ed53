"""Why there is no history to tell."""


class HistoryError(Exception):
    """Pulumi's history could not be read; the message says what to do."""
