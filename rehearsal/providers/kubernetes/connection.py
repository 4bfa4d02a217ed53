"""The configured cluster: its API when it answers, else the reason why not."""

from dataclasses import dataclass

from rehearsal.providers.kubernetes.api import ApiError, KubernetesApi, UnreachableError
from rehearsal.providers.kubernetes.kubeconfig import Kubeconfig, http_client, parse_kubeconfig
from rehearsal.providers.kubernetes.settings import ProviderSettings
from rehearsal.providers.protocol import ProviderError


@dataclass(frozen=True, kw_only=True)
class Connection:
    """One cluster for the life of a provider process.

    A preview works without the API (`reachable` None); everything else requires it.
    """

    settings: ProviderSettings
    kubeconfig: Kubeconfig
    reachable: KubernetesApi | None
    reason: str = ""

    def require_reachable(self) -> KubernetesApi:
        """The API; raises ProviderError when the cluster did not answer."""
        if self.reachable is None:
            raise ProviderError(f"configured Kubernetes cluster is unreachable: {self.reason}")
        return self.reachable


def connect(settings: ProviderSettings) -> Connection:
    """Reach for the cluster of a kubeconfig.

    Raises:
        ProviderError: the kubeconfig itself is at fault.

    """
    kubeconfig = parse_kubeconfig(
        settings.kubeconfig, context=settings.context, cluster=settings.cluster
    )
    api = KubernetesApi(http_client(kubeconfig, timeout_s=settings.client_timeout_s))
    try:
        api.version()
    except (ApiError, UnreachableError) as error:
        return Connection(
            settings=settings, kubeconfig=kubeconfig, reachable=None, reason=str(error)
        )
    return Connection(settings=settings, kubeconfig=kubeconfig, reachable=api)
