"""Why the checks could not be made."""


class VerifyError(Exception):
    """Something that all checks need could not be had; the message says what to do."""


class NotAskedError(Exception):
    """Nobody could ask one team's Dask; nothing follows for Dask."""
