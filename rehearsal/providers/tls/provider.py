"""The tls stand-in: package, configuration, and which token is served by what."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Final

from rehearsal.providers.protocol import ResourceType, StateOnlyProvider
from rehearsal.providers.tls.cert_request import CertRequest
from rehearsal.providers.tls.certificates import LocallySignedCert, SelfSignedCert
from rehearsal.providers.tls.private_key import PrivateKey

RESOURCE_TYPES: Final[Mapping[str, ResourceType]] = {
    "tls:index/certRequest:CertRequest": CertRequest(),
    "tls:index/locallySignedCert:LocallySignedCert": LocallySignedCert(),
    "tls:index/privateKey:PrivateKey": PrivateKey(),
    "tls:index/selfSignedCert:SelfSignedCert": SelfSignedCert(),
}


class TlsProvider(StateOnlyProvider):
    """Serves RESOURCE_TYPES; the real plugin's one argument, a proxy, is for its functions."""

    name = "tls"
    version = version("pulumi-tls")
    types = RESOURCE_TYPES
