"""Pure: what `daskfleet status` says of each team, as rows of the page."""

from collections.abc import Iterable, Iterator, Sequence

from daskfleet.contract.seen import PodRow
from daskfleet.platform.report.running.model import Kind, LossRow, Problem, TeamRow, WaitRow
from daskfleet.team.status.model import Report as TeamReport
from daskfleet.team.status.model import Verdict
from daskfleet.team.status.render_all import matter

MOST_LOSSES = 50
"""That are told, the newest ones."""


def team_rows(reports: Iterable[TeamReport], pods: Sequence[PodRow]) -> tuple[TeamRow, ...]:
    """Return a line for each team."""
    return tuple(
        _row(report, [pod for pod in pods if pod.team == report.team]) for report in reports
    )


def waiting_rows(reports: Iterable[TeamReport]) -> tuple[WaitRow, ...]:
    """Return what waits and why: pods, and pods that are not even made."""
    return tuple(row for report in reports for _, row in _waiting(report))


def loss_rows(reports: Iterable[TeamReport]) -> tuple[LossRow, ...]:
    """Return what ended of late, the newest first."""
    rows = [
        LossRow(team=report.team, at=loss.at, pod=loss.pod, why=loss.why)
        for report in reports
        for loss in report.losses
    ]
    return tuple(sorted(rows, key=lambda row: row.at, reverse=True)[:MOST_LOSSES])


def team_problems(reports: Iterable[TeamReport]) -> Iterator[Problem]:
    """Return the teams that are not ready, and what each pod of others waits for."""
    for report in reports:
        if report.verdict is Verdict.NOT_READY:
            yield Problem(
                kind=Kind.TEAM,
                about=f"team {report.team} is not ready",
                team=report.team,
                says=_in_a_line(matter(report)) or "its scheduler or workers are missing",
                next_step=f"`daskfleet status {report.team} --stack {report.stack}` says more.",
            )
            continue
        for about, row in _waiting(report):
            yield Problem(
                kind=Kind.POD,
                about=about,
                team=report.team,
                says=row.waits_for,
                next_step=row.means,
            )


def _row(report: TeamReport, pods: Sequence[PodRow]) -> TeamRow:
    groups = report.clusters[0].groups if report.clusters else ()
    wanted = [group.wanted for group in groups]
    known = [each for each in wanted if each is not None]
    return TeamRow(
        team=report.team,
        state=report.verdict.value,
        workers_ready=sum(group.ready for group in groups),
        workers_wanted=sum(known) if len(known) == len(wanted) else None,
        gpu_shares=sum(pod.gpu_shares for pod in pods if pod.node),
        lost=len(report.losses),
        restarts=sum(pod.restarts for pod in report.pods),
        matter=_in_a_line(matter(report)),
    )


def _waiting(report: TeamReport) -> Iterator[tuple[str, WaitRow]]:
    """Return what waits, each with what it is called as a problem."""
    for pod in report.pods:
        if pod.waits_for:
            yield (
                f"pod {pod.name} waits",
                WaitRow(
                    team=report.team,
                    name=pod.name,
                    since=pod.created,
                    waits_for=pod.waits_for,
                    means=pod.means,
                ),
            )
    for problem in report.problems:
        yield (
            problem.about,
            WaitRow(
                team=report.team,
                name=problem.about,
                since="",
                waits_for=problem.says,
                means=problem.means,
            ),
        )


def _in_a_line(text: str) -> str:
    """Reasons that a terminal has below each other."""
    return "; ".join(line.removesuffix(".") for line in text.splitlines())
