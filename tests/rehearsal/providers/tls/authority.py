"""An authority and what it signs, made by the stand-in without an engine."""

from dataclasses import dataclass
from typing import Any

from rehearsal.providers.protocol import Properties, reveal
from rehearsal.providers.tls.provider import RESOURCE_TYPES
from tests.rehearsal.providers.calls import engine_call

NAMES = {token.rpartition(":")[2]: kind for token, kind in RESOURCE_TYPES.items()}


def made(kind: str, **inputs: Any) -> Properties:
    """Create one resource and return its outputs, secrets revealed."""
    state = NAMES[kind].create(inputs=inputs, call=engine_call())
    outputs: Properties = reveal(state.outputs)
    return outputs


def key() -> str:
    """Make a private key."""
    text: str = made("PrivateKey", algorithm="ECDSA", ecdsaCurve="P256")["privateKeyPem"]
    return text


@dataclass(frozen=True)
class Authority:
    """A certificate authority."""

    key: str
    certificate: str

    def signed(self, name: str, *uses: str, hours: int = 24) -> tuple[str, str]:
        """Return a key and a certificate that the authority has signed."""
        own = key()
        request = made("CertRequest", privateKeyPem=own, subject={"commonName": name})
        certificate = made(
            "LocallySignedCert",
            certRequestPem=request["certRequestPem"],
            caPrivateKeyPem=self.key,
            caCertPem=self.certificate,
            allowedUses=list(uses) or ["digital_signature", "server_auth", "client_auth"],
            validityPeriodHours=hours,
        )
        return own, certificate["certPem"]


def authority(name: str = "Dask of team alpha") -> Authority:
    """Make an authority."""
    own = key()
    certificate = made(
        "SelfSignedCert",
        privateKeyPem=own,
        isCaCertificate=True,
        subject={"commonName": name},
        allowedUses=["cert_signing", "digital_signature"],
        validityPeriodHours=24,
    )
    return Authority(own, certificate["certPem"])
