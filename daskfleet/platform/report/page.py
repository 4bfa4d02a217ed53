"""The page: all parts laid out as one HTML document that loads nothing."""

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Sequence
from datetime import UTC
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from daskfleet.platform.report.checks import check_groups, outcome_of, verdict
from daskfleet.platform.report.cost import money_of, total_of
from daskfleet.platform.report.drawn_fleet import Fleet
from daskfleet.platform.report.fleet import fleet_of
from daskfleet.platform.report.palette import DARK, LIGHT, css_variables
from daskfleet.platform.report.team_rows import team_rows
from daskfleet.platform.report.teams import team_marks
from daskfleet.platform.report.timeline import timeline_of
from daskfleet.platform.report.words import counted, seconds, with_code
from rehearsal.report.model import Report

TEMPLATES = Path(__file__).with_name("templates")


def page(report: Report) -> str:
    """Lay out a report as HTML."""
    marks = team_marks(
        [row.team for row in report.pods]
        + list(report.cost.teams if report.cost else ())
        + [claim.team for claim in report.claims if claim.team]
    )
    fleet = fleet_of(report, marks)
    shares = report.cost.teams if report.cost else {}
    outcome, verdict_text = verdict(report.claims)
    return laid_out(
        "page.html.jinja",
        scripts=("page.js",),
        stack=report.stack,
        looked_at=_looked_at(report),
        looked_at_exactly=report.occasion.looked_at.isoformat() if report.occasion else "",
        commit=report.occasion.commit if report.occasion else "",
        outcome=outcome,
        verdict=verdict_text,
        failed=[claim for claim in report.claims if outcome_of(claim) == "failed"],
        facts=tuple(_facts(report, fleet)),
        teams=team_rows(
            report.pods,
            marks,
            failed=[claim.team for claim in report.claims if claim.fails],
            full_usd_per_month={name: share.full for name, share in shares.items()},
        ),
        failures="Checks failed",
        fleet=fleet,
        timeline=timeline_of(report.timeline) if report.timeline else None,
        steps=[(step.name, step.outcome, seconds(step.duration_s)) for step in report.steps],
        groups=check_groups(report.claims, marks),
        money=money_of(report.cost, marks) if report.cost else None,
        stage=sorted(report.stage, key=lambda part: part.is_real, reverse=True),
    )


def laid_out(template: str, *, scripts: Sequence[str], **content: object) -> str:
    """Fill a template, with the styles, and the scripts that alone may run."""
    script = "\n".join((TEMPLATES / name).read_text(encoding="utf-8") for name in scripts)
    return (
        _environment()
        .get_template(template)
        .render(
            **content,
            light=css_variables(LIGHT),
            dark=css_variables(DARK),
            script=Markup(script),  # noqa: S704 - our own
            script_hash=b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        )
    )


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["with_code"] = with_code
    return environment


def _looked_at(report: Report) -> str:
    if report.occasion is None:
        return ""
    return f"{report.occasion.looked_at.astimezone(UTC):%-d %B %Y, %H:%M} UTC"


def _facts(report: Report, fleet: Fleet) -> Iterable[tuple[str, str, str]]:
    """Label, value, and what the value is of."""
    ready = sum(pod.is_ready for pod in fleet.pods)
    yield "Pods ready", str(ready), f"of {len(fleet.pods)}"
    yield "GPU shares used", str(fleet.used_shares), f"of {fleet.all_shares}"
    yield "Nodes", str(len(report.nodes)), f"in {counted(len(fleet.pools), 'pool')}"
    if report.timeline:
        yield (
            "pulumi up took",
            seconds(report.timeline.up_s),
            f"--latency {report.timeline.latency}",
        )
    if report.cost:
        yield (
            "Everything running",
            total_of(report.cost, report.cost.full_usd_per_month),
            "USD per month on GKE",
        )
