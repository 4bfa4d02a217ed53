"""Running the probe in a Python of this machine, for members, and reading what it answers."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from daskfleet.access.client_certificate import CertificateFiles
from daskfleet.team.verify.collect import probe_program
from daskfleet.team.verify.collect.child import Answer, asked
from daskfleet.team.verify.collect.probe_answer import UnreadableError, read_answer, unreadable
from daskfleet.team.verify.errors import VerifyError
from daskfleet.team.verify.facts import DaskFacts

LAST_LINES = 5
LONGEST_LINE = 200


@dataclass(frozen=True, kw_only=True)
class Client:
    """Who asks: the Python and the team's modules."""

    python: Path
    modules: tuple[str, ...] = ()


async def probe(
    client: Client,
    address: str,
    resources: Sequence[Mapping[str, float]],
    *,
    certificate: CertificateFiles | None = None,
    progress: Callable[[str], None],
) -> DaskFacts:
    """Run the probe to its end.

    What cannot be read once it talks to the scheduler is a connection that failed: it may be the
    scheduler's doing, and no reason to leave other teams unchecked.

    Raises:
        VerifyError: the Python does not run, has no distributed, or lacks a named module.

    """
    request = probe_program.request_text(
        address=address,
        modules=client.modules,
        resources=resources,
        security=_security(certificate) if certificate else None,
    )
    command = (str(client.python), *probe_program.here(str(Path.cwd())))
    answer = await asked(command, request.encode(), progress=progress)
    return _facts(client, answer)


def _security(certificate: CertificateFiles) -> dict[str, str]:
    """Name the files as ``distributed.Security`` does; what is in them stays out of the request."""
    return {
        "tls_ca_file": str(certificate.ca_file),
        "tls_client_cert": str(certificate.cert_file),
        "tls_client_key": str(certificate.key_file),
    }


def _facts(client: Client, answer: Answer) -> DaskFacts:
    if answer.problem:
        if not answer.has_connected:
            raise VerifyError(_cannot_be_the_client(client, answer))
        return unreadable(answer.problem, client_python=str(client.python))
    try:
        document = read_answer(answer.document)
    except UnreadableError as error:
        return unreadable(str(error), client_python=str(client.python))
    if document.refused and not answer.has_connected:
        raise VerifyError(
            f"{client.python}: {document.refused}. Install the module there, start in the "
            "directory that has it, or name the team's own Python with `--python`."
        )
    return document.facts or unreadable("it has no facts", client_python=str(client.python))


def _cannot_be_the_client(client: Client, answer: Answer) -> str:
    last = [line[:LONGEST_LINE] for line in answer.said[-LAST_LINES:] if line]
    words = os.linesep.join(last) or answer.problem
    advice = (
        "Install there what the team's image has, or name another with `--python`."
        if "No module named" in words
        else "Name another with `--python`."
    )
    return f"{client.python} cannot be the client: {words}\n{advice}"
