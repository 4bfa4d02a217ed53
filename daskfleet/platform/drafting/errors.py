"""Why there is no draft."""


class DraftError(Exception):
    """The cluster is none that a fleet could be like, or the file is there; the text says which."""
