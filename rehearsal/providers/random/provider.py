"""The random stand-in: package, and which token is served by what."""

from collections.abc import Sequence
from importlib.metadata import version

from rehearsal.providers.protocol import Checked, Diff, Properties, Provider, ResourceType
from rehearsal.providers.random.password import PASSWORD_TYPE, RandomPassword


class RandomProvider(Provider):
    """Serves package ``random``; it has no configuration and reaches for nothing."""

    name = "random"
    version = version("pulumi-random")

    def served(self) -> Sequence[str]:
        """Passwords."""
        return (PASSWORD_TYPE,)

    def resource_type(self, token: str) -> ResourceType | None:
        """The one type."""
        return RandomPassword() if token == PASSWORD_TYPE else None

    def check_config(self, inputs: Properties) -> Checked:
        """Take what there is: the real provider has no arguments either."""
        return Checked(inputs)

    def diff_config(self, *, old_inputs: Properties, inputs: Properties) -> Diff:
        """See no difference."""
        del old_inputs, inputs
        return Diff()

    def configure(self, inputs: Properties) -> None:
        """Do nothing."""
        del inputs
