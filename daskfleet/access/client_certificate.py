"""A team's certificate for clients: read from the cluster, and as files that only we can read."""

import base64
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import kr8s
import kr8s.asyncio

from daskfleet.access.errors import AccessError
from daskfleet.access.kubernetes_api import get, status_of
from daskfleet.contract.declared import DeclaredTeam
from daskfleet.files import write_private_file

CA_FILE = "ca.crt"
CERT_FILE = "tls.crt"
KEY_FILE = "tls.key"
PARTS = (CA_FILE, CERT_FILE, KEY_FILE)
"""As the Secret has them."""


@dataclass(frozen=True)
class CertificateFiles:
    """Where a certificate lies."""

    directory: Path

    @property
    def ca_file(self) -> Path:
        """The certificate of the team's authority."""
        return self.directory / CA_FILE

    @property
    def cert_file(self) -> Path:
        """The client's certificate."""
        return self.directory / CERT_FILE

    @property
    def key_file(self) -> Path:
        """The client's private key."""
        return self.directory / KEY_FILE


async def read_certificate(api: kr8s.asyncio.Api, team: DeclaredTeam) -> Mapping[str, bytes] | None:
    """Read the Secret of a team; None where the team has no TLS.

    Raises:
        AccessError: it is not there, or may not be read.

    """
    namespace, secret = team.namespace, team.tls_client_secret
    if secret is None:
        return None
    try:
        found = await get(api, "v1", f"secrets/{secret}", namespace=namespace)
        data = found.get("data") or {}
        return {part: base64.b64decode(data[part]) for part in PARTS}
    except kr8s.ServerError as error:
        status = status_of(error)
        if status == httpx.codes.NOT_FOUND:
            raise AccessError(
                f"Secret {secret} with the client's certificate is not in namespace {namespace}: "
                "the last `pulumi up` did not end, or somebody has deleted it. Run `pulumi up "
                "--refresh`."
            ) from error
        if status == httpx.codes.FORBIDDEN:
            raise AccessError(
                f"You may not read Secret {secret} in namespace {namespace}, which has the "
                "client's certificate. Only the team's `members` in the stack file may."
            ) from error
        raise
    except KeyError as error:
        raise AccessError(
            f"Secret {secret} in namespace {namespace} has no {error.args[0]}. Run "
            "`pulumi up --refresh`: it writes the Secret again."
        ) from error


@contextmanager
def certificate_files(
    certificate: Mapping[str, bytes], directory: Path
) -> Iterator[CertificateFiles]:
    """Keep the certificate as files, and remove them with their directory at the end.

    Raises:
        AccessError: they cannot be written.

    """
    # What a killed process left here is written anew.
    shutil.rmtree(directory, ignore_errors=True)
    try:
        try:
            _write(certificate, directory)
        except OSError as error:
            raise AccessError(
                f"The client's certificate cannot be written below {directory.parent}: "
                f"{error.strerror}."
            ) from error
        yield CertificateFiles(directory)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _write(certificate: Mapping[str, bytes], directory: Path) -> None:
    directory.mkdir(mode=0o700)
    for part in PARTS:
        write_private_file(directory / part, certificate[part])
