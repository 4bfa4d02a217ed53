"""The kubernetes stand-in: package, configuration, and which token is served by what."""

from collections.abc import Sequence

from rehearsal.providers.kubernetes.connection import Connection, connect
from rehearsal.providers.kubernetes.kinds import kind_of_token
from rehearsal.providers.kubernetes.objects import KubernetesObject
from rehearsal.providers.kubernetes.release import RELEASE_TYPE, HelmRelease
from rehearsal.providers.kubernetes.settings import check_settings, diff_settings, parse_settings
from rehearsal.providers.protocol import (
    Checked,
    Diff,
    Properties,
    Provider,
    ProviderError,
    ResourceType,
)


class KubernetesProvider(Provider):
    """Serves package `kubernetes` against the API server of the provider's kubeconfig."""

    name = "kubernetes"
    version = "4.34.2"

    def __init__(self) -> None:
        self._connection: Connection | None = None

    def served(self) -> Sequence[str]:
        """Everything the API server knows, and Helm releases."""
        return (
            "kubernetes:<group>/<version>:<Kind> for any kind of object on the server",
            RELEASE_TYPE,
        )

    def resource_type(self, token: str) -> ResourceType | None:
        """The kind or Helm release behind a token."""
        if token == RELEASE_TYPE:
            return HelmRelease(self._configured())
        kind = kind_of_token(token)
        return None if kind is None else KubernetesObject(kind, self._configured())

    def check_config(self, inputs: Properties) -> Checked:
        """Refuse arguments that the stand-in cannot honour."""
        return Checked(inputs, check_settings(inputs))

    def diff_config(self, *, old_inputs: Properties, inputs: Properties) -> Diff:
        """Decide whether other arguments mean another cluster."""
        return diff_settings(old=old_inputs, new=inputs)

    def configure(self, inputs: Properties) -> None:
        """Reach for the cluster; one that does not answer fails the first real operation."""
        self._connection = connect(parse_settings(inputs))

    def _configured(self) -> Connection:
        if self._connection is None:
            raise ProviderError(
                "the kubernetes provider is not configured: its kubeconfig is not known yet"
            )
        return self._connection
