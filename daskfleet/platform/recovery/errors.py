"""The one error that ends a recovery."""


class RecoveryError(Exception):
    """Nothing was changed, or no more than was said; the message has what, why and what next."""
