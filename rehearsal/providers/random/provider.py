"""The random stand-in: package, and which token is served by what."""

from importlib.metadata import version

from rehearsal.providers.protocol import StateOnlyProvider
from rehearsal.providers.random.password import PASSWORD_TYPE, RandomPassword


class RandomProvider(StateOnlyProvider):
    """Serves package ``random``: passwords."""

    name = "random"
    version = version("pulumi-random")
    types = {PASSWORD_TYPE: RandomPassword()}  # noqa: RUF012 - never changed
