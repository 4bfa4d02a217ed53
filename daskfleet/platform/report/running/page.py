"""The page of a running fleet: the same picture as a rehearsal's, and what only runs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from daskfleet.platform.cost.bill_model import Bill
from daskfleet.platform.history.week import week_html
from daskfleet.platform.report.checks import Outcome
from daskfleet.platform.report.drawn_fleet import Fleet
from daskfleet.platform.report.fleet import fleet_of
from daskfleet.platform.report.page import laid_out
from daskfleet.platform.report.running.model import FleetView, Money, SourceName
from daskfleet.platform.report.team_rows import team_rows
from daskfleet.platform.report.teams import team_marks
from daskfleet.platform.report.words import counted, dollars


@dataclass(frozen=True, kw_only=True)
class Live:
    """The page as `daskfleet serve` shows it."""

    made: str
    """Names this very page."""
    every_s: float
    """How often it asks whether there is a newer one."""
    stale: str = ""
    """Why it is older than it should be; empty when it is not."""


def running_page(view: FleetView, *, live: Live | None = None) -> str:
    """Lay out a view as HTML."""
    shares = {row.name: row for row in view.money.rows} if view.money else {}
    marks = team_marks(
        [row.team for row in view.pods]
        + [row.team for row in view.teams or ()]
        + [problem.team for problem in view.problems if problem.team]
    )
    fleet = fleet_of(view, marks, are_pods_known=view.are_pods_known)
    outcome, text = verdict(view)
    sources = {source.name: source for source in view.sources}
    return laid_out(
        "running/page.html.jinja",
        scripts=("page.js", "live.js") if live else ("page.js",),
        stack=view.stack,
        looked_at=f"{view.looked_at:%-d %B %Y, %H:%M:%S} UTC",
        looked_at_exactly=view.looked_at.isoformat(),
        commit="",
        outcome=outcome,
        verdict=text,
        facts=tuple(_facts(view, fleet)),
        view=view,
        fleet=fleet,
        marks=marks,
        teams=team_rows(
            view.pods,
            marks,
            failed=[problem.team for problem in view.problems if problem.team],
            full_usd_per_month={
                name: row.full_usd_per_month for name, row in shares.items() if row.kind == "team"
            },
        ),
        failures="Open problems",
        sources={name.name: sources[name] for name in SourceName if name in sources},
        nodes_unread=sources[SourceName.NODES].why_not,
        pods_unread=sources[SourceName.PODS].why_not,
        money=_money(view.money) if view.money else None,
        bill=_bill(view.bill) if view.bill else None,
        week=week_html(view.history) if view.history else None,
        every_s=live.every_s if live else None,
        made=live.made if live else "",
        stale=live.stale if live else "",
    )


def verdict(view: FleetView) -> tuple[Outcome, str]:
    """Tell in one line how the fleet is."""
    unread = len(view.unread)
    rest = f"; {counted(unread, 'source')} could not be read whole" if unread else ""
    if view.problems:
        return "failed", f"{counted(len(view.problems), 'open problem')}{rest}."
    if unread:
        return "not measured", f"No problem is known{rest}."
    return "holds", "No open problem."


def ready_teams(view: FleetView) -> str:
    """Tell how many teams are ready or asleep, of how many."""
    if view.teams is None:
        return "not known"
    ready = sum(row.state in {"ready", "asleep"} for row in view.teams)
    return f"{ready} of {len(view.teams)}"


def shares_used(view: FleetView, fleet: Fleet) -> str:
    """Tell how many of the GPU shares are used, of how many."""
    if view.versions is None:
        return "not known"
    used = str(fleet.used_shares) if view.are_pods_known else "not known"
    return f"{used} of {fleet.all_shares}"


def usd_told(money: Money, usd: float, *, cents: bool = False) -> str:
    """Tell an amount; it is `at least` that where something has no known price."""
    amount = dollars(usd, cents=cents)
    return f"at least {amount}" if money.unpriced else amount


def _facts(view: FleetView, fleet: Fleet) -> Iterator[tuple[str, str, str]]:
    """Label, value, and what the value is of."""
    why_no_teams = "they could not be read" if view.teams is None else ""
    yield "Teams ready or asleep", ready_teams(view), why_no_teams
    if view.are_pods_known:
        ready = sum(pod.is_ready for pod in fleet.pods)
        yield "Pods ready", f"{ready} of {len(fleet.pods)}", ""
    if view.versions is None:
        yield "Nodes", "not known", "they could not be read"
    else:
        yield "GPU shares used", shares_used(view, fleet), ""
        pools = counted(len(fleet.pools), "pool")
        yield "Nodes", f"{len(view.nodes)} in {pools}", ""
    if view.money:
        yield (
            "Cost now",
            usd_told(view.money, view.money.now_usd_per_hour, cents=True),
            "USD per hour",
        )


@dataclass(frozen=True, kw_only=True)
class ShownShare:
    """A row of the table of cost, in words."""

    name: str
    kind: str
    now: str
    month: str
    idle: str
    full: str


@dataclass(frozen=True, kw_only=True)
class ShownMoney:
    """The section on cost, in words."""

    prices_as_of: str
    now: str
    month: str
    unpriced: tuple[str, ...]
    rows: tuple[ShownShare, ...]


def _money(money: Money) -> ShownMoney:
    return ShownMoney(
        prices_as_of=money.prices_as_of,
        now=usd_told(money, money.now_usd_per_hour, cents=True),
        month=usd_told(money, money.month_usd),
        unpriced=money.unpriced,
        rows=tuple(
            ShownShare(
                name=row.name,
                kind=row.kind,
                now=dollars(row.now_usd_per_hour, cents=True),
                month=dollars(row.month_usd),
                idle=_declared(row.idle_usd_per_month),
                full=_declared(row.full_usd_per_month),
            )
            for row in money.rows
        ),
    )


@dataclass(frozen=True, kw_only=True)
class ShownBill:
    """This month so far, in words."""

    billed: str
    until: str
    month: str
    teams: Mapping[str, str]


def _bill(bill: Bill) -> ShownBill:
    return ShownBill(
        billed=_billed(bill.fleet.billed_usd),
        until=f"{bill.covered_until:%-d %B, %H:%M} UTC" if bill.covered_until else "nowhere",
        month=_billed(bill.fleet.month_usd),
        teams={part.name: _billed(part.billed_usd) for part in bill.parts if part.kind == "team"},
    )


def _billed(usd: float | None) -> str:
    return "not known" if usd is None else dollars(usd)


def _declared(usd: float | None) -> str:
    return "not told" if usd is None else dollars(usd)
