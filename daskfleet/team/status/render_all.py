"""The report of all teams as people read it: a line for each, and what is the matter."""

from collections import Counter
from collections.abc import Iterator

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from daskfleet.team.status.model import FleetReport, Report, Verdict
from daskfleet.team.status.render import STYLES, clock, counted


def rendered_fleet(report: FleetReport) -> RenderableType:
    """Return the report for a terminal or a file."""
    return Group(*_parts(report))


def _parts(report: FleetReport) -> Iterator[RenderableType]:
    yield Text(f"  {report.stack}: {_counted(report)}, {clock(report.at)} UTC", "bold")
    yield _teams(report)
    if report.retired_teams:
        yield Text(f"  retired: {', '.join(report.retired_teams)}", "dim")
    for unknown in report.not_known:
        yield Text(f"  not known: {unknown}", "yellow")


def _counted(report: FleetReport) -> str:
    found = Counter(team.verdict for team in report.teams)
    told = ", ".join(f"{found[verdict]} {verdict}" for verdict in Verdict if found[verdict])
    return told or "no teams"


def _teams(report: FleetReport) -> Table:
    table = Table(box=box.SIMPLE_HEAD, expand=False)
    for column in ("team", "state", "scheduler", "workers", "lost", "what is the matter"):
        table.add_column(column, overflow="fold", no_wrap=column in {"state", "workers", "lost"})
    for team in report.teams:
        table.add_row(
            Text(team.team),
            Text(team.verdict, STYLES[team.verdict]),
            "ready" if team.clusters[0].is_scheduler_ready else "-",
            _workers(team),
            str(len(team.losses) or "-"),
            Text(matter(team)),
        )
    return table


def _workers(team: Report) -> str:
    groups = team.clusters[0].groups
    ready = sum(group.ready for group in groups)
    wanted = [group.wanted for group in groups]
    known = [each for each in wanted if each is not None]
    return f"{ready} of {'?' if len(known) < len(wanted) else sum(known)}"


def matter(team: Report) -> str:
    """Pure: return what holds a team up, the same for several pods once; empty where nothing does.

    Pods of a JupyterLab or of a member's own cluster count, too.
    """
    if team.verdict is Verdict.ASLEEP:
        return team.why
    waiting = Counter(pod.means or pod.waits_for for pod in team.pods if pod.waits_for)
    told = [f"{counted(count, 'pod')}: {why}" for why, count in waiting.most_common()]
    told += [f"{each.about}: {each.says}" for each in team.problems]
    return "\n".join(told)
