"""The one error that ends a release."""


class ReleaseError(Exception):
    """The state is as it was; the message has what, why and what next."""
