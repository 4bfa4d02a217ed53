"""Unit: whether the stand-in's certificates do what real ones do, by Python's own TLS."""

import ssl
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography import x509

from tests.rehearsal.providers.tls.authority import Authority, authority

Context = Callable[..., ssl.SSLContext]


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """Make an end of a connection as Dask does: mutual, names not looked at.

    Strict, which is what Python does from 3.13 on: an authority without its key's identifier, or
    a certificate that does not name it, would be refused.
    """

    def make(purpose: int, trusted: Authority, shown: tuple[str, str] | None) -> ssl.SSLContext:
        made = ssl.SSLContext(purpose)
        made.check_hostname = False
        made.verify_mode = ssl.CERT_REQUIRED
        made.verify_flags |= ssl.VERIFY_X509_STRICT
        made.load_verify_locations(cadata=trusted.certificate)
        if shown is not None:
            files = [tmp_path / "key.pem", tmp_path / "certificate.pem"]
            for file, text in zip(files, shown, strict=True):
                file.write_text(text)
            made.load_cert_chain(files[1], files[0])
        return made

    return make


def shake_hands(server: ssl.SSLContext, client: ssl.SSLContext) -> None:
    """Connect the two in memory, and let each hear what the other thinks."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        client.wrap_bio(to_client, to_server, server_side=False),
        server.wrap_bio(to_server, to_client, server_side=True),
    ]
    for _ in range(4):
        for end in ends:
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
    ends[1].write(b"welcome")
    assert ends[0].read() == b"welcome"


def test_ends_of_one_authority_trust_each_other(context: Context) -> None:
    ours = authority()
    server = context(ssl.PROTOCOL_TLS_SERVER, ours, ours.signed("scheduler"))

    shake_hands(server, context(ssl.PROTOCOL_TLS_CLIENT, ours, ours.signed("client")))


def test_a_client_of_another_authority_is_refused(context: Context) -> None:
    ours, theirs = authority(), authority("Dask of team beta")
    server = context(ssl.PROTOCOL_TLS_SERVER, ours, ours.signed("scheduler"))

    with pytest.raises(ssl.SSLError):
        shake_hands(server, context(ssl.PROTOCOL_TLS_CLIENT, ours, theirs.signed("client")))


def test_a_client_without_a_certificate_is_refused(context: Context) -> None:
    ours = authority()
    server = context(ssl.PROTOCOL_TLS_SERVER, ours, ours.signed("scheduler"))

    with pytest.raises(ssl.SSLError):
        shake_hands(server, context(ssl.PROTOCOL_TLS_CLIENT, ours, None))


def test_a_clients_certificate_makes_no_server(context: Context) -> None:
    ours = authority()
    shown = ours.signed("client", "digital_signature", "client_auth")

    with pytest.raises(ssl.SSLError):
        shake_hands(
            context(ssl.PROTOCOL_TLS_SERVER, ours, shown),
            context(ssl.PROTOCOL_TLS_CLIENT, ours, ours.signed("worker")),
        )


def test_a_certificate_says_for_whom_by_whom_and_how_long() -> None:
    _, text = authority().signed("worker of team alpha", hours=48)
    certificate = x509.load_pem_x509_certificate(text.encode())

    assert certificate.subject.rfc4514_string() == "CN=worker of team alpha"
    assert certificate.issuer.rfc4514_string() == "CN=Dask of team alpha"
    valid = certificate.not_valid_after_utc - certificate.not_valid_before_utc
    assert valid.total_seconds() == 48 * 3600
