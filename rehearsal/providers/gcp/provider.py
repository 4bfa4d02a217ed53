"""The gcp package: configuration and the resource types that it serves."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Final

from typing_extensions import override

from rehearsal.providers.gcp.bucket_iam_member import BucketIamMember
from rehearsal.providers.gcp.cloud import Cloud, configured_cloud
from rehearsal.providers.gcp.cluster import Cluster
from rehearsal.providers.gcp.compute import Network, Router, Subnetwork
from rehearsal.providers.gcp.iam_member import IamMember
from rehearsal.providers.gcp.node_pool import NodePool
from rehearsal.providers.gcp.resource import GoogleResource
from rehearsal.providers.gcp.router_nat import RouterNat
from rehearsal.providers.gcp.service_account import Account
from rehearsal.providers.protocol import (
    Properties,
    Provider,
    ProviderError,
    ResourceType,
    reveal,
)

RESOURCE_TYPES: Final[Mapping[str, type[GoogleResource]]] = {
    each.pulumi_type: each
    for each in (
        Network,
        Router,
        RouterNat,
        Subnetwork,
        Cluster,
        NodePool,
        IamMember,
        Account,
        BucketIamMember,
    )
}

CLIENT_CONFIG: Final = "gcp:organizations/getClientConfig:getClientConfig"
"""The provider's own login and places (``data_source_google_client_config.go``)."""


class GcpProvider(Provider):
    """Serves RESOURCE_TYPES on the emulator that the environment points at."""

    name = "gcp"
    version = version("pulumi-gcp")

    def __init__(self) -> None:
        self._cloud: Cloud | None = None

    @override
    def served(self) -> Sequence[str]:
        return sorted(RESOURCE_TYPES)

    @override
    def resource_type(self, token: str) -> ResourceType | None:
        if token not in RESOURCE_TYPES:
            return None
        return RESOURCE_TYPES[token](self._configured())

    @override
    def function(self, token: str) -> Properties | None:
        return self._configured().client_config() if token == CLIENT_CONFIG else None

    @override
    def configure(self, inputs: Properties) -> None:
        self._cloud = configured_cloud(reveal(inputs))

    def _configured(self) -> Cloud:
        if self._cloud is None:
            raise ProviderError("the gcp stand-in was not configured before its first use")
        return self._cloud
