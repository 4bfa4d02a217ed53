"""What becomes of a client that has no certificate, where a team has TLS."""

import asyncio
import ssl
from urllib.parse import urlsplit

from cryptography import x509

from daskfleet.access.client_certificate import CertificateFiles
from daskfleet.team.verify.facts import TlsFacts

TIMEOUT_S = 10


async def collect_tls(address: str, certificate: CertificateFiles) -> TlsFacts:
    """Knock at the scheduler without a certificate, and look how long the real one is good for."""
    parsed = x509.load_pem_x509_certificate(certificate.cert_file.read_bytes())
    refused, heard = await _connect_anonymously(address, certificate)
    return TlsFacts(
        anonymous_client_refused=refused,
        anonymous_client_outcome=heard,
        valid_until=parsed.not_valid_after_utc,
    )


async def _connect_anonymously(
    address: str, certificate: CertificateFiles
) -> tuple[bool | None, str]:
    """Trust the team's authority, and show nothing.

    With TLS 1.3 the handshake ends well for the client before the server has looked for its
    certificate; the next thing that it reads says. A scheduler speaks first, to whom it lets in
    (distributed, ``BaseListener.on_connection``).
    """
    context = ssl.create_default_context(cafile=str(certificate.ca_file))
    context.check_hostname = False
    parts = urlsplit(address)
    try:
        async with asyncio.timeout(TIMEOUT_S):
            reader, writer = await asyncio.open_connection(
                parts.hostname, parts.port, ssl=context, server_hostname=""
            )
            try:
                said = await reader.read(1)
            finally:
                writer.close()
    except ssl.SSLError as error:
        return True, error.reason or str(error)
    except ConnectionResetError:
        return True, "the connection was reset"
    except TimeoutError:
        return None, f"no answer within {TIMEOUT_S} s"
    except OSError as error:
        return None, str(error)
    return (False, "the scheduler spoke") if said else (True, "the connection was closed")
