"""The connection file: what a client on this machine needs to know, for as long as it holds."""

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from daskfleet.access.client_certificate import CertificateFiles
from daskfleet.catalog.software import packages_inside
from daskfleet.contract.declared import DeclaredTeam
from daskfleet.files import write_private_file
from daskfleet.team.connect.errors import ConnectError


class TlsFiles(BaseModel):
    """A client's certificate; the names are those of ``distributed.Security``."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    tls_ca_file: str
    tls_client_cert: str
    tls_client_key: str


class Connection(BaseModel):
    """The file's content.

    ``dask.distributed.Client(scheduler_file=...)`` reads ``address`` and ignores the rest. A later
    release may add keys; readers ignore what they do not know.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    team: str
    stack: str
    address: str
    dashboard: str
    image: str
    """What a client should run too: the scheduler unpacks what the client has packed."""

    rapids: str
    cuda: int
    packages: dict[str, str] | None = None
    """Versions inside of the image by package, where the catalog knows them."""

    tls: TlsFiles | None = None
    """Files without which the scheduler refuses the client, where the team has TLS."""

    @property
    def python(self) -> str:
        """The line of Python that connects."""
        if self.tls is None:
            return f'from dask.distributed import Client; client = Client("{self.address}")'
        files = ", ".join(f"{name}={path!r}" for name, path in self.tls.model_dump().items())
        return (
            "from dask.distributed import Client, Security; "
            f'client = Client("{self.address}", '
            f"security=Security({files}, require_encryption=True))"
        )


def text_of(connection: Connection) -> str:
    """Pure: the content of the connection file."""
    return connection.model_dump_json(indent=2, exclude_none=True) + "\n"


def connection_to(
    team: DeclaredTeam,
    *,
    name: str,
    stack: str,
    scheduler_port: int,
    dashboard_port: int,
    certificate: CertificateFiles | None = None,
) -> Connection:
    """Pure: describe the way by two ports of this machine."""
    return Connection(
        team=name,
        stack=stack,
        address=team.address_at(scheduler_port),
        dashboard=team.dashboard_at(dashboard_port),
        image=team.image,
        rapids=team.rapids,
        cuda=team.cuda,
        packages=team.packages or packages_inside(team.rapids, team.cuda),
        tls=_tls(certificate) if certificate else None,
    )


def _tls(files: CertificateFiles) -> TlsFiles:
    return TlsFiles(
        tls_ca_file=str(files.ca_file.absolute()),
        tls_client_cert=str(files.cert_file.absolute()),
        tls_client_key=str(files.key_file.absolute()),
    )


@contextmanager
def written(text: str, file: Path) -> Iterator[None]:
    """Keep a file while the connection is held, readable for its owner only.

    It goes with the connection: nobody answers at the address afterwards. What another has put in
    its place meanwhile stays.

    Raises:
        ConnectError: it cannot be written.

    """
    try:
        mine = write_private_file(file, text)
    except OSError as error:
        raise ConnectError(
            f"{file} cannot be written: {error.strerror}. Name another file with `--file`."
        ) from error
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if file.stat().st_ino == mine:
                file.unlink()
