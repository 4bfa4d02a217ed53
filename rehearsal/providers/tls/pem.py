"""Keys, requests and certificates as text, as Go's standard library writes them."""

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec


def key_of(text: str) -> ec.EllipticCurvePrivateKey:
    """Read a private key.

    Raises:
        ValueError: it is none, or of another algorithm.

    """
    key = serialization.load_pem_private_key(text.encode(), password=None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise ValueError("the private key is no ECDSA key; the tls stand-in serves no other")  # noqa: TRY004
    return key


def text_of(thing: x509.Certificate | x509.CertificateSigningRequest) -> str:
    """Write a certificate or a request."""
    return thing.public_bytes(serialization.Encoding.PEM).decode()
