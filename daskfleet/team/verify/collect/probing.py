"""Running the probe in the Python that is asked about."""

import asyncio
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from daskfleet.access.client_certificate import CertificateFiles
from daskfleet.checkout import SOURCE_DIR
from daskfleet.team.verify.errors import VerifyError
from daskfleet.team.verify.facts import DaskFacts

OLDEST_PYTHON = (3, 11)
BEGIN = f"""
import sys
if sys.version_info < {OLDEST_PYTHON}:
    sys.exit("it is Python %d.%d, and Dask's current releases need {OLDEST_PYTHON[0]}.\
{OLDEST_PYTHON[1]}" % sys.version_info[:2])
sys.path.insert(0, sys.argv[1])
from daskfleet.team.verify.probe.main import main
del sys.path[0]
main()
"""
"""Lets the probe be imported, and nothing else of this project: modules of a team may have the
same names. What is in the current directory can be imported, as in a notebook."""

TIMEOUT_S = 110
"""Beyond the sum of the probe's own limits."""
PROGRESS = "progress: "
LAST_LINES = 5


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

    Raises:
        VerifyError: the Python does not run, has no distributed, or lacks a named module.

    """
    request = {
        "address": address,
        "modules": client.modules,
        "resources": resources,
        "security": _security(certificate) if certificate else None,
    }
    try:
        process = await asyncio.create_subprocess_exec(
            *(str(client.python), "-c", BEGIN, str(SOURCE_DIR)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            # Ctrl-C is for this process, which then ends that one.
            start_new_session=True,
        )
    except OSError as error:
        raise VerifyError(f"{client.python} cannot be run: {error.strerror}.") from error
    try:
        async with asyncio.timeout(TIMEOUT_S):
            answer, said = await _exchange(process, json.dumps(request), progress)
    except TimeoutError as error:
        raise VerifyError(f"The probe did not end within {TIMEOUT_S} s.") from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return _facts(client, answer, said)


def _security(certificate: CertificateFiles) -> dict[str, str]:
    """Name the files as ``distributed.Security`` does; what is in them stays out of the request."""
    return {
        "tls_ca_file": str(certificate.ca_file),
        "tls_client_cert": str(certificate.cert_file),
        "tls_client_key": str(certificate.key_file),
    }


async def _exchange(
    process: asyncio.subprocess.Process, request: str, progress: Callable[[str], None]
) -> tuple[str, Sequence[str]]:
    assert process.stdin and process.stdout and process.stderr  # noqa: S101, PT018 - are pipes
    said: list[str] = []

    async def listen(stream: asyncio.StreamReader) -> None:
        async for line in stream:
            text = line.decode(errors="replace").rstrip()
            if text.startswith(PROGRESS):
                progress(text.removeprefix(PROGRESS))
            else:
                said.append(text)

    process.stdin.write(request.encode())
    process.stdin.close()
    answer, _, _ = await asyncio.gather(
        process.stdout.read(), listen(process.stderr), process.wait()
    )
    return answer.decode(), said


def _facts(client: Client, answer: str, said: Sequence[str]) -> DaskFacts:
    if not answer:
        words = os.linesep.join(line for line in said[-LAST_LINES:] if line)
        advice = (
            "Install there what the team's image has, or name another with `--python`."
            if "No module named" in words
            else "Name another with `--python`."
        )
        raise VerifyError(f"{client.python} cannot be the client: {words}\n{advice}")
    document = json.loads(answer)
    if refused := document.get("refused"):
        raise VerifyError(
            f"{client.python}: {refused}. Install the module there, start in the directory that "
            "has it, or name the team's own Python with `--python`."
        )
    return DaskFacts.model_validate(document["facts"])
