"""One run: declared, collected, checked."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import kr8s.asyncio

from daskfleet.access.client_certificate import (
    CertificateFiles,
    certificate_files,
    read_certificate,
)
from daskfleet.access.declared_fleet import team_in
from daskfleet.access.errors import AccessError
from daskfleet.access.fleet import Fleet, fleet_of_stack, fleet_of_team, source
from daskfleet.access.kubeconfig import Kubeconfig
from daskfleet.access.kubernetes_api import connected
from daskfleet.contract.declared import DeclaredFleet, DeclaredTeam
from daskfleet.team.verify.checks.all_checks import all_checks
from daskfleet.team.verify.collect.anonymous_client import collect_tls
from daskfleet.team.verify.collect.pages import collect_metrics, collect_pages
from daskfleet.team.verify.collect.pods import ClusterFacts, collect_cluster
from daskfleet.team.verify.collect.probing import Client, probe
from daskfleet.team.verify.collect.reach import Way, at_address, forwarded, in_cluster
from daskfleet.team.verify.errors import VerifyError
from daskfleet.team.verify.facts import DaskFacts, TeamFacts
from daskfleet.team.verify.model import Report, TeamReport

REQUEST_TIMEOUT_S = 30
AT_A_TIME = 4
"""Teams: each is a client of its own, which takes a core for a second."""

INSIDE_A_POD = "KUBERNETES_SERVICE_HOST"
"""Kubernetes sets it in every container; there, cluster DNS answers."""

Progress = Callable[[str], None]


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked, by whom."""

    stack: str | None
    team: str | None
    client: Client
    address: str | None
    """The scheduler's, instead of the way that is found; for one team."""


def look(project_dir: Path, question: Question, *, progress: Progress) -> Report:
    """Check the teams' clusters.

    Raises:
        VerifyError: what all checks need could not be had.

    """
    try:
        fleet = _fleet(project_dir, question, progress)
        teams = chosen(fleet.declared, question.team)
        if question.address and len(teams) != 1:
            raise VerifyError("An address is one team's: name the team before it.")
        done = asyncio.run(_teams(fleet.kubeconfig, fleet.declared, teams, question, progress))
    except AccessError as error:
        raise VerifyError(str(error)) from error
    return Report(stack=fleet.stack, teams=tuple(done))


def chosen(fleet: DeclaredFleet, team: str | None) -> dict[str, DeclaredTeam]:
    """Return the named team, or all.

    Raises:
        AccessError: there is no such team.

    """
    return fleet.teams if team is None else {team: team_in(fleet, team)}


def _fleet(project_dir: Path, question: Question, progress: Progress) -> Fleet:
    if question.team is None and question.stack is None:
        raise VerifyError(
            "Whose cluster? Name your team, or with `--stack` the stack whose teams to look at."
        )
    progress(source(question.stack, question.team or ""))
    if question.stack is not None:
        return fleet_of_stack(project_dir, question.stack)
    return fleet_of_team(question.team or "")


async def _teams(
    kubeconfig: Kubeconfig,
    fleet: DeclaredFleet,
    teams: dict[str, DeclaredTeam],
    question: Question,
    progress: Progress,
) -> list[TeamReport]:
    few = asyncio.Semaphore(AT_A_TIME)
    async with connected(kubeconfig, request_timeout_s=REQUEST_TIMEOUT_S) as api:

        async def checked(name: str, team: DeclaredTeam) -> TeamReport:
            async with few:
                facts = await collect(
                    api,
                    team,
                    question,
                    is_measured=fleet.is_measured,
                    progress=lambda doing: progress(f"{name}: {doing}"),
                )
            return TeamReport(team=name, checks=tuple(all_checks(fleet, team, facts)))

        return await asyncio.gather(*(checked(name, team) for name, team in teams.items()))


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
    async with (
        _certificate(api, team) as certificate,
        _way(api, team, cluster, question.address) as way,
    ):
        facts = TeamFacts(
            pods=cluster.pods,
            jupyter=cluster.jupyter,
            service_leads_to=cluster.service_leads_to,
            asleep=cluster.asleep.text if cluster.asleep else "",
            dask=DaskFacts.unasked(
                client_python=str(question.client.python),
                why=f"not asked: {cluster.asleep.text}"
                if cluster.asleep
                else "no ready scheduler pod is behind Service dask",
            ),
        )
        if way is None:
            return facts
        if is_measured:
            facts = facts.model_copy(update={"metrics": await collect_metrics(way.http)})
        if not facts.asleep:  # a task would bring its workers back
            dask = await probe(
                question.client,
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


@asynccontextmanager
async def _certificate(
    api: kr8s.asyncio.Api, team: DeclaredTeam
) -> AsyncIterator[CertificateFiles | None]:
    """Keep the client's certificate for as long as it is needed, where the team has TLS."""
    if team.tls_client_secret is None:
        yield None
        return
    certificate = await read_certificate(
        api, namespace=team.namespace, secret=team.tls_client_secret
    )
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
