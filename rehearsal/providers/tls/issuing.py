"""Making a certificate as Go's `x509.CreateCertificate` does for terraform-provider-tls."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID

_KEY_USES: Final = {
    "digital_signature": "digital_signature",
    "content_commitment": "content_commitment",
    "key_encipherment": "key_encipherment",
    "data_encipherment": "data_encipherment",
    "key_agreement": "key_agreement",
    "cert_signing": "key_cert_sign",
    "crl_signing": "crl_sign",
}
_EXTENDED_USES: Final = {
    "server_auth": ExtendedKeyUsageOID.SERVER_AUTH,
    "client_auth": ExtendedKeyUsageOID.CLIENT_AUTH,
}


@dataclass(frozen=True, kw_only=True)
class CertificateSpec:
    """What a certificate is to say, and who says it."""

    subject: x509.Name
    public_key: ec.EllipticCurvePublicKey
    issuer: x509.Name
    issuer_key: ec.EllipticCurvePrivateKey
    issuer_key_id: x509.SubjectKeyIdentifier | None
    """None where the subject is the issuer."""

    is_authority: bool
    uses: Sequence[str]
    valid_h: int


def issue(wanted: CertificateSpec) -> x509.Certificate:
    """Make the certificate, valid from now on.

    Raises:
        ValueError: a use is unknown, or an authority has no name.

    """
    if unknown := sorted(set(wanted.uses) - _KEY_USES.keys() - _EXTENDED_USES.keys()):
        raise ValueError(f"allowedUses: the tls stand-in does not serve {', '.join(unknown)}")
    if wanted.is_authority and not wanted.subject.rdns:
        raise ValueError("the subject of an authority has no name")
    now = datetime.now(UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(wanted.subject)
        .issuer_name(wanted.issuer)
        .public_key(wanted.public_key)
        .serial_number(secrets.randbits(127) + 1)
        .not_valid_before(now)
        .not_valid_after(now + timedelta(hours=wanted.valid_h))
        .add_extension(
            x509.BasicConstraints(ca=wanted.is_authority, path_length=None), critical=True
        )
    )
    if key_usage := _key_usage(wanted.uses):
        builder = builder.add_extension(key_usage, critical=True)
    if extended := [_EXTENDED_USES[use] for use in wanted.uses if use in _EXTENDED_USES]:
        builder = builder.add_extension(x509.ExtendedKeyUsage(extended), critical=False)
    if wanted.is_authority:
        own_id = x509.SubjectKeyIdentifier.from_public_key(wanted.public_key)
        builder = builder.add_extension(own_id, critical=False)
    if wanted.issuer_key_id is not None:
        theirs = x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(
            wanted.issuer_key_id
        )
        builder = builder.add_extension(theirs, critical=False)
    return builder.sign(wanted.issuer_key, hashes.SHA256())


def _key_usage(uses: Sequence[str]) -> x509.KeyUsage | None:
    named = {_KEY_USES[use] for use in uses if use in _KEY_USES}
    if not named:
        return None
    bits = {bit: bit in named for bit in _KEY_USES.values()}
    return x509.KeyUsage(**bits, encipher_only=False, decipher_only=False)
