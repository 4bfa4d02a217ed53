"""The tls stand-in: package, configuration, and which token is served by what."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Final

from typing_extensions import override

from rehearsal.providers.protocol import (
    Checked,
    Diff,
    Properties,
    Provider,
    ResourceType,
    changed_paths,
)
from rehearsal.providers.tls.cert_request import CertRequest
from rehearsal.providers.tls.certificates import LocallySignedCert, SelfSignedCert
from rehearsal.providers.tls.private_key import PrivateKey

RESOURCE_TYPES: Final[Mapping[str, ResourceType]] = {
    "tls:index/certRequest:CertRequest": CertRequest(),
    "tls:index/locallySignedCert:LocallySignedCert": LocallySignedCert(),
    "tls:index/privateKey:PrivateKey": PrivateKey(),
    "tls:index/selfSignedCert:SelfSignedCert": SelfSignedCert(),
}


class TlsProvider(Provider):
    """Serves RESOURCE_TYPES, with no configuration and nothing outside of the state."""

    name = "tls"
    version = version("pulumi-tls")

    @override
    def served(self) -> Sequence[str]:
        return sorted(RESOURCE_TYPES)

    @override
    def resource_type(self, token: str) -> ResourceType | None:
        return RESOURCE_TYPES.get(token)

    @override
    def check_config(self, inputs: Properties) -> Checked:
        return Checked(inputs)

    @override
    def diff_config(self, *, old_inputs: Properties, inputs: Properties) -> Diff:
        return Diff(changes=changed_paths(old_inputs, inputs))

    @override
    def configure(self, inputs: Properties) -> None:
        """Nothing is configured: the proxy of the real plugin is for its functions."""
