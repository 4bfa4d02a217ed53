"""Why something was not looked at."""


class NotLookedAtError(Exception):
    """A look-up came to nothing; the text says why, and is shown in place of the finding."""


class NotThereError(NotLookedAtError):
    """What was looked for does not exist. Some checks expect that answer."""
