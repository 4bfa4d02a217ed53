"""Certificate authorities, and the certificates that they sign."""

import datetime as dt
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from daskfleet.files import write_private_file

CA_LIFETIME = dt.timedelta(days=3650)
# Certificates are signed anew at every start.
LEAF_LIFETIME = dt.timedelta(days=365)
# A clock set back a little must not make a fresh certificate invalid.
BACKDATED = dt.timedelta(hours=1)


@dataclass(frozen=True, kw_only=True)
class KeyPair:
    """A certificate and its key, as the PEM files that programs are given."""

    certificate: Path
    key: Path


@dataclass(frozen=True, kw_only=True)
class CertificateAuthority:
    """An authority of one directory; whoever trusts it once still does after a restart."""

    files: KeyPair
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @classmethod
    def load_or_create(cls, directory: Path, *, name: str) -> Self:
        """Read <name>.crt and <name>.key, or make them."""
        files = KeyPair(certificate=directory / f"{name}.crt", key=directory / f"{name}.key")
        if files.certificate.exists():
            certificate = x509.load_pem_x509_certificate(files.certificate.read_bytes())
            return cls(files=files, certificate=certificate, key=load_key(files.key))
        key = create_key(files.key)
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"rehearsal-{name}")])
        certificate = (
            _unsigned(subject, issuer=subject, key=key.public_key(), lifetime=CA_LIFETIME)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(signs_certificates=True), critical=True)
            .sign(key, hashes.SHA256())
        )
        write_private_file(files.certificate, certificate.public_bytes(serialization.Encoding.PEM))
        return cls(files=files, certificate=certificate, key=key)

    def issue(
        self, directory: Path, *, name: str, groups: Sequence[str] = (), hosts: Sequence[str] = ()
    ) -> KeyPair:
        """Sign a certificate into <name>.crt and <name>.key.

        Args:
            directory: where the two files go.
            name: common name, which Kubernetes takes for the user's name.
            groups: organisations, which Kubernetes takes for the user's groups.
            hosts: DNS names and IP addresses that a server answers to.

        """
        stem = name.replace(":", "-")
        files = KeyPair(certificate=directory / f"{stem}.crt", key=directory / f"{stem}.key")
        key = create_key(files.key)
        subject = x509.Name(
            [
                *(x509.NameAttribute(NameOID.ORGANIZATION_NAME, group) for group in groups),
                x509.NameAttribute(NameOID.COMMON_NAME, name),
            ]
        )
        purposes = [ExtendedKeyUsageOID.CLIENT_AUTH, ExtendedKeyUsageOID.SERVER_AUTH]
        authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        certificate = (
            _unsigned(
                subject,
                issuer=self.certificate.subject,
                key=key.public_key(),
                lifetime=LEAF_LIFETIME,
            )
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs_certificates=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage(purposes), critical=False)
            .add_extension(authority, critical=False)
        )
        if hosts:
            names = x509.SubjectAlternativeName([_general_name(host) for host in hosts])
            certificate = certificate.add_extension(names, critical=False)
        signed = certificate.sign(self.key, hashes.SHA256())
        write_private_file(files.certificate, signed.public_bytes(serialization.Encoding.PEM))
        return files


def create_key(file: Path) -> ec.EllipticCurvePrivateKey:
    """Write a new private key."""
    key = ec.generate_private_key(ec.SECP256R1())
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        # The form that every Kubernetes component reads, service-account keys included.
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    write_private_file(file, pem)
    return key


def load_key(file: Path) -> ec.EllipticCurvePrivateKey:
    """Read a key that `create_key` wrote.

    Raises:
        TypeError: the file holds another kind of key.

    """
    key = serialization.load_pem_private_key(file.read_bytes(), password=None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise TypeError(f"{file} holds no elliptic-curve key; remove its directory and start anew.")
    return key


def _unsigned(
    subject: x509.Name, *, issuer: x509.Name, key: ec.EllipticCurvePublicKey, lifetime: dt.timedelta
) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - BACKDATED)
        .not_valid_after(now + lifetime)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)
