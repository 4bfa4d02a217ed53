"""All facts of one team: who asks Dask, and by which way."""

import os
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import kr8s.asyncio

from daskfleet.access.client_certificate import (
    CertificateFiles,
    certificate_files,
    read_certificate,
)
from daskfleet.access.errors import AccessError
from daskfleet.contract.dask import INSIDE_A_POD
from daskfleet.contract.declared import DeclaredTeam
from daskfleet.team.verify.collect.anonymous_client import collect_tls
from daskfleet.team.verify.collect.pages import collect_metrics, collect_pages
from daskfleet.team.verify.collect.pods import ClusterFacts, collect_cluster
from daskfleet.team.verify.collect.probing import Client, probe
from daskfleet.team.verify.collect.reach import Way, at_address, forwarded, in_cluster
from daskfleet.team.verify.errors import NotAskedError, VerifyError
from daskfleet.team.verify.facts import DaskFacts, TeamFacts
from daskfleet.team.verify.question import MEMBERS_PYTHON, Progress, Question


async def collect(
    api: kr8s.asyncio.Api,
    team: DeclaredTeam,
    question: Question,
    *,
    is_measured: bool,
    progress: Progress,
) -> TeamFacts:
    """Collect everything about one team."""
    progress("reading its pods")
    cluster = await collect_cluster(api, team)
    parts, certificate_error = await _certificate(api, team)
    asks_there = question.stack is not None or cluster.has_nodes
    if asks_there and question.python is not None:
        raise VerifyError(
            f"{MEMBERS_PYTHON}You may read nodes, so you hold more than a member's login: leave "
            "`--python` out, and the team's image asks, in a pod of its namespace."
        )
    with _files(parts) as certificate:
        async with _way(api, team, cluster, question.address) as way:
            facts = TeamFacts(
                pods=cluster.pods,
                jupyter=cluster.jupyter,
                service_leads_to=cluster.service_leads_to,
                asleep=cluster.asleep.text if cluster.asleep else "",
                certificate_error=certificate_error,
                dask=DaskFacts.unasked(client_python="", why=_why_unasked(cluster)),
            )
            if way is None:
                return facts
            if is_measured:
                facts = facts.model_copy(update={"metrics": await collect_metrics(way.http)})
            # A task would bring a sleeping team's workers back.
            if not facts.asleep and not facts.certificate_error:
                if asks_there:
                    facts = await _asked_there(api, team, question, facts, progress)
                else:  # as the member's own clients do
                    python = question.python or Path(sys.executable)
                    dask = await probe(
                        Client(python=python, modules=question.modules),
                        way.address,
                        team.kinds_of_resources,
                        certificate=certificate,
                        progress=progress,
                    )
                    facts = facts.model_copy(update={"dask": dask})
            tls = await collect_tls(way.address, certificate) if certificate else None
            progress("looking at the dashboard")
            pages = await collect_pages(way.http)
            return facts.model_copy(update={"pages": pages, "tls": tls})


def _why_unasked(cluster: ClusterFacts) -> str:
    if cluster.asleep:
        return f"not asked: {cluster.asleep.text}"
    if not cluster.scheduler_pod:
        return "no ready scheduler pod is behind Service dask"
    return "there is no certificate to show"


async def _asked_there(
    api: kr8s.asyncio.Api,
    team: DeclaredTeam,
    question: Question,
    facts: TeamFacts,
    progress: Progress,
) -> TeamFacts:
    """Let the team's image ask, in its namespace: whoever looks holds more than a member does."""
    # The Job is one of the program's objects, and those are no part of what members install.
    from daskfleet.team.verify.collect.in_namespace import ask_in_namespace  # noqa: PLC0415

    try:
        dask = await ask_in_namespace(api, team, question.modules, progress=progress)
    except NotAskedError as error:
        nobody = DaskFacts.unasked(client_python="", why=str(error))
        return facts.model_copy(update={"dask": nobody, "not_asked": str(error)})
    return facts.model_copy(update={"dask": dask, "has_client_in_image": True})


async def _certificate(
    api: kr8s.asyncio.Api, team: DeclaredTeam
) -> tuple[Mapping[str, bytes] | None, str]:
    """Read the client's certificate, where the team has TLS, and why there is none to read."""
    try:
        return await read_certificate(api, team), ""
    except AccessError as error:
        return None, str(error)


@contextmanager
def _files(certificate: Mapping[str, bytes] | None) -> Iterator[CertificateFiles | None]:
    """Keep a certificate as files for as long as it is needed."""
    if certificate is None:
        yield None
        return
    with (
        tempfile.TemporaryDirectory(prefix="daskfleet-") as directory,
        certificate_files(certificate, Path(directory) / "tls") as files,
    ):
        yield files


@asynccontextmanager
async def _way(
    api: kr8s.asyncio.Api, team: DeclaredTeam, cluster: ClusterFacts, address: str | None
) -> AsyncIterator[Way | None]:
    if address is not None:
        yield at_address(address)
    elif INSIDE_A_POD in os.environ:
        yield in_cluster(team)
    elif cluster.scheduler_pod:
        async with forwarded(api, team, scheduler=cluster.scheduler_pod) as way:
            yield way
    else:
        yield None
