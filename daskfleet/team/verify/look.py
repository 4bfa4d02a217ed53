"""One run: declared, collected, checked."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from daskfleet.access.declared_fleet import team_in
from daskfleet.access.errors import AccessError
from daskfleet.access.fleet import Fleet, fleet_of_stack, fleet_of_team, source
from daskfleet.access.kubeconfig import Kubeconfig
from daskfleet.access.kubernetes_api import connected
from daskfleet.contract.declared import DeclaredFleet, DeclaredTeam
from daskfleet.team.verify.checks.all_checks import all_checks
from daskfleet.team.verify.collect.one_team import collect
from daskfleet.team.verify.errors import VerifyError
from daskfleet.team.verify.model import Check, Report, TeamReport, failed
from daskfleet.team.verify.question import MEMBERS_PYTHON, Progress, Question

ACCESS = "access"
REQUEST_TIMEOUT_S = 30
AT_A_TIME = 4
"""Teams: a client on this machine takes a core for a second."""


def look(project_dir: Path, question: Question, *, progress: Progress) -> Report:
    """Check the teams' clusters.

    Raises:
        VerifyError: what all checks need could not be had.

    """
    try:
        fleet = _fleet(project_dir, question, progress)
        teams = chosen(fleet.declared, question.team)
        if question.address and len(teams) != 1:
            raise VerifyError("An address belongs to one team: name the team, too.")
        done = asyncio.run(
            look_at_teams(fleet.kubeconfig, fleet.declared, teams, question, progress)
        )
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
            "Which cluster? Name your team, or with `--stack` the stack whose teams to look at."
        )
    if question.python is not None and question.stack is not None:
        raise VerifyError(
            f"{MEMBERS_PYTHON}With `--stack` it is the team's image that asks, in a pod of its "
            "namespace: leave `--python` out. A member names the team, and no stack."
        )
    progress(source(question.stack, question.team or ""))
    if question.stack is not None:
        return fleet_of_stack(project_dir, question.stack)
    return fleet_of_team(question.team or "")


async def look_at_teams(
    kubeconfig: Kubeconfig,
    fleet: DeclaredFleet,
    teams: dict[str, DeclaredTeam],
    question: Question,
    progress: Progress,
) -> list[TeamReport]:
    """Check these teams, a few at a time.

    Raises:
        AccessError: none of them could be read.

    """
    few = asyncio.Semaphore(AT_A_TIME)

    async def checked(name: str, team: DeclaredTeam) -> TeamReport | AccessError:
        try:
            return await looked_at(name, team)
        except AccessError as error:
            return error

    async def looked_at(name: str, team: DeclaredTeam) -> TeamReport:
        # Each by a connection of its own: where one request is refused, kr8s 0.20 closes the
        # session, and with it all that others ask (``Api.call_api``).
        async with few, connected(kubeconfig, request_timeout_s=REQUEST_TIMEOUT_S) as api:
            facts = await collect(
                api,
                team,
                question,
                is_measured=fleet.is_measured,
                progress=lambda doing: progress(f"{name}: {doing}"),
            )
        return TeamReport(team=name, checks=tuple(all_checks(fleet, team, facts)))

    checking = [asyncio.ensure_future(checked(*each)) for each in teams.items()]
    try:
        done = await asyncio.gather(*checking)
    finally:
        # Who has made something in the cluster takes it away before this command ends.
        for each in checking:
            each.cancel()
        await asyncio.gather(*checking, return_exceptions=True)
    return reports(dict(zip(teams, done, strict=True)))


def reports(done: Mapping[str, TeamReport | AccessError]) -> list[TeamReport]:
    """Pure: what could be read; a team that could not is that team's failure alone.

    Raises:
        AccessError: no team could be read.

    """
    errors = [each for each in done.values() if isinstance(each, AccessError)]
    if errors and len(errors) == len(done):
        raise errors[0]
    return [
        TeamReport(team=team, checks=(_unread(each),)) if isinstance(each, AccessError) else each
        for team, each in done.items()
    ]


def _unread(error: AccessError) -> Check:
    return failed(
        ACCESS,
        expected="what the Kubernetes API says of the team can be read",
        seen=str(error),
        next_step="Look again; other teams could be read.",
    )
