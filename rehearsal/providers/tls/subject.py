"""The name of who a certificate is for, from a resource's `subject`."""

from typing import Final

from cryptography import x509
from cryptography.x509.oid import NameOID

from rehearsal.providers.protocol import Properties

_PARTS: Final = {
    "country": NameOID.COUNTRY_NAME,
    "organization": NameOID.ORGANIZATION_NAME,
    "organizationalUnit": NameOID.ORGANIZATIONAL_UNIT_NAME,
    "commonName": NameOID.COMMON_NAME,
}


def name_of(subject: Properties | None) -> x509.Name:
    """Return the distinguished name.

    Raises:
        ValueError: it has a part that the stand-in does not serve.

    """
    given = {key: value for key, value in (subject or {}).items() if not key.startswith("__")}
    if unknown := sorted(given.keys() - _PARTS.keys()):
        raise ValueError(
            f"subject.{unknown[0]} is not served by the tls stand-in, which knows "
            f"{', '.join(_PARTS)}"
        )
    return x509.Name(
        [x509.NameAttribute(oid, given[key]) for key, oid in _PARTS.items() if given.get(key)]
    )
