"""Running the probe in the Python that is asked about, and reading what it answers."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.types import StringConstraints

from daskfleet.access.client_certificate import CertificateFiles
from daskfleet.checkout import SOURCE_DIR
from daskfleet.team.verify.collect.child import Answer, asked
from daskfleet.team.verify.errors import VerifyError
from daskfleet.team.verify.facts import DaskFacts, Told

OLDEST_PYTHON = (3, 11)
MOST_MEMORY_BYTES = 8 * 1024**3
"""Of a client that a scheduler sends more than any honest one would."""

BEGIN = f"""
import sys
if sys.version_info < {OLDEST_PYTHON}:
    sys.exit("it is Python %d.%d, and Dask's current releases need {OLDEST_PYTHON[0]}.\
{OLDEST_PYTHON[1]}" % sys.version_info[:2])
import resource
hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
most = {MOST_MEMORY_BYTES} if hard == resource.RLIM_INFINITY else min({MOST_MEMORY_BYTES}, hard)
resource.setrlimit(resource.RLIMIT_DATA, (most, most))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
if sys.path[0] == "":
    sys.path[0] = sys.argv[2]
sys.path.insert(0, sys.argv[1])
from daskfleet.team.verify.probe.main import main
del sys.path[0]
main()
"""
"""Lets the probe be imported, and nothing else of this project: modules of a team may have the
same names. What is in the caller's directory can be imported, as in a notebook."""

LAST_LINES = 5
LONGEST_LINE = 200


@dataclass(frozen=True, kw_only=True)
class Client:
    """Who asks: the Python and the team's modules."""

    python: Path
    modules: tuple[str, ...] = ()


class _Document(BaseModel):
    """What the probe writes: one of the two."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    facts: DaskFacts | None = None
    refused: Annotated[Told, StringConstraints(min_length=1)] | None = None


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
    request = {
        "address": address,
        "modules": client.modules,
        "resources": resources,
        "security": _security(certificate) if certificate else None,
    }
    command = (str(client.python), "-c", BEGIN, str(SOURCE_DIR), str(Path.cwd()))
    answer = await asked(command, json.dumps(request).encode(), progress=progress)
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
        return _unreadable(client, answer.problem)
    try:
        document = _Document.model_validate_json(answer.document, strict=True)
    except ValidationError as error:
        # Where it is wrong is for the one who wrote it to choose, so it is not repeated.
        return _unreadable(client, f"it is not what the probe writes ({error.errors()[0]['msg']})")
    if document.refused and not answer.has_connected:
        raise VerifyError(
            f"{client.python}: {document.refused}. Install the module there, start in the "
            "directory that has it, or name the team's own Python with `--python`."
        )
    return document.facts or _unreadable(client, "it has no facts")


def _unreadable(client: Client, why: str) -> DaskFacts:
    return DaskFacts.unasked(
        client_python=str(client.python), why=f"the scheduler's answer could not be read: {why}"
    )


def _cannot_be_the_client(client: Client, answer: Answer) -> str:
    last = [line[:LONGEST_LINE] for line in answer.said[-LAST_LINES:] if line]
    words = os.linesep.join(last) or answer.problem
    advice = (
        "Install there what the team's image has, or name another with `--python`."
        if "No module named" in words
        else "Name another with `--python`."
    )
    return f"{client.python} cannot be the client: {words}\n{advice}"
