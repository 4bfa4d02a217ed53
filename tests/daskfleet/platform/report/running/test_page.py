"""Unit: the page of a running fleet: what is on it, and what must never be."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from daskfleet.platform.cost.bill_model import Bill, Billed, LimitState
from daskfleet.platform.cost.bill_owner import OwnerKind
from daskfleet.platform.doctor.model import Report as DoctorReport
from daskfleet.platform.history.model import History, NodeMove
from daskfleet.platform.report.running.history import not_told
from daskfleet.platform.report.running.model import FleetView, SourceName
from daskfleet.platform.report.running.page import Live, running_page, verdict
from daskfleet.platform.report.running.told import all_told
from tests.daskfleet.platform.report.documents import HOSTILE
from tests.daskfleet.platform.report.running.fleets import (
    DRIFT,
    HISTORY,
    SCALED,
    TOKEN,
    UNREAD,
    WRONG,
    gathered,
    node,
    observed,
    of_team,
    reading,
    troubled,
    unread,
    view,
)
from tests.daskfleet.platform.review.rendered import Seen
from tests.daskfleet.team.status.objects import group

TEXTS_OF_DRIFT = ("resource", "field", "declared", "found", "evidence", "remedy", "ask")


def said_in_history(text: str) -> History:
    """A week whose texts are all this one."""
    updates = (
        each.model_copy(
            update={
                **dict.fromkeys(("message", "commit", "author", "run_url", "unknown"), text),
                "teams": tuple(
                    change.model_copy(update={"team": text, "before": text, "after": text})
                    for change in each.teams
                ),
                "nodes": (NodeMove(node=text, pool=text, what="came", at=HISTORY.read_at),),
            }
        )
        for each in HISTORY.updates
    )
    return HISTORY.model_copy(update={"updates": tuple(updates), "unknown": (text,)})


def hostile() -> FleetView:
    """Each text that somebody else may write tries to be HTML."""
    bad = of_team("fraud-w", "worker", "fraud", unscheduled=HOSTILE)
    bad["metadata"]["name"] = HOSTILE
    bad["metadata"]["labels"]["dask.org/component"] = HOSTILE
    bad["spec"]["containers"][0]["image"] = HOSTILE
    ended = of_team(
        "fraud-y",
        "worker",
        "fraud",
        last_state={"terminated": {"reason": HOSTILE, "exitCode": 1, "finishedAt": HOSTILE}},
    )
    sick = node("gke-a100-1")
    sick["metadata"]["name"] = HOSTILE
    sick["metadata"]["annotations"] = {
        "health.daskfleet/drained-since": "2026-11-23T08:00:00+00:00",
        "health.daskfleet/why": HOSTILE,
        "cloud.google.com/cuda.driver-version.full": HOSTILE,
    }
    sick["metadata"]["labels"]["cloud.google.com/gke-nodepool"] = HOSTILE
    sick["metadata"]["labels"]["cloud.google.com/cuda.driver-version.full"] = HOSTILE
    sick["status"]["nodeInfo"]["kubeletVersion"] = HOSTILE
    drifted = SCALED.model_copy(
        update=dict.fromkeys(
            ("resource", "field", "declared", "found", "evidence", "remedy", "ask"), HOSTILE
        )
    )
    wrong = WRONG.model_copy(update=dict.fromkeys(("subject", "there", "fix", "command"), HOSTILE))
    fraud = observed(
        "fraud", pods=(bad, ended), groups=(group(f"fraud-{HOSTILE}", 3, cluster="fraud"),)
    )
    return view(
        teams=reading(SourceName.PODS, {"climate": observed("climate"), "fraud": fraud}, HOSTILE),
        nodes=reading(SourceName.NODES, (sick,)),
        google=reading(SourceName.CLUSTER, None, why_not=HOSTILE),
        drift=reading(
            SourceName.DRIFT,
            DRIFT.model_copy(update={"differences": (drifted,), "notices": (HOSTILE,)}),
        ),
        doctor=reading(SourceName.DOCTOR, DoctorReport(stack="prod", findings=(wrong,))),
        history=reading(SourceName.HISTORY, all_told(said_in_history(HOSTILE))),
    )


def billed(kind: OwnerKind, name: str, usd: float | None) -> Billed:
    return Billed(
        kind=kind,
        name=name,
        billed_usd=usd,
        month_usd=None if usd is None else 1.5 * usd,
        forecast_idle_usd=None,
        forecast_full_usd=None,
        beyond_forecast_usd=None,
        monthly_budget_usd=None,
        state=LimitState.NONE,
    )


BILL = Bill(
    stack="prod",
    month="2026-11",
    source="a.b.c",
    covered_until=datetime(2026, 11, 21, tzinfo=UTC),
    is_over=False,
    is_early=False,
    parts=(billed("team", "climate", 600), billed("team", "fraud", None)),
    fleet=billed("fleet", "all of the cluster", 900),
)


VIEWS: dict[str, Callable[[], FleetView]] = {
    "well": view,
    "troubled": troubled,
    "hostile": hostile,
    "unread": lambda: view(**unread(*UNREAD)),
}
EVERY = pytest.mark.parametrize("seen", [make() for make in VIEWS.values()], ids=VIEWS)


def parsed(html: str) -> Seen:
    reader = Seen()
    reader.feed(html.removeprefix("<!doctype html>"))
    reader.close()
    return reader


def text(seen: FleetView) -> str:
    return " ".join(" ".join(parsed(running_page(seen)).everything).split())


@EVERY
def test_every_element_is_closed_and_nothing_is_loaded(seen: FleetView) -> None:
    html = running_page(seen)
    reader = parsed(html)
    assert reader.unclosed == []
    assert not {"img", "link", "iframe", "object", "base"} & set(reader.elements)
    assert set(re.findall(r'(?:href|src|action)="([^"]?)', html)) <= {"#"}
    assert "default-src 'none'" in html
    assert "connect-src" not in html


def test_what_others_write_cannot_become_html() -> None:
    html = running_page(hostile())
    assert HOSTILE not in html
    assert "<img" not in html
    assert parsed(html).elements.count("script") == 1
    assert html.count("onerror=alert(1)&gt;") > 10


@pytest.mark.parametrize("source", UNREAD)
def test_what_could_not_be_read_is_said_in_its_place(source: str) -> None:
    told = text(view(**unread(source)))
    assert f"{source} is forbidden" in told
    assert "No problem is known; 1 source could not be read whole." in told


def test_without_nodes_none_is_said_to_be_missing() -> None:
    told = text(view(**unread("nodes")))
    assert "The nodes could not be read: nodes is forbidden." in told
    assert "Nodes not known" in told


def test_without_pods_no_place_is_said_to_be_free() -> None:
    told = text(view(**unread("teams")))
    assert "The pods could not be read: teams is forbidden." in told
    assert "which says nothing of whether they are free" in told
    assert "not known how many of 2 places on GPUs free" in told
    assert "2 of 2 places on GPUs free" not in told
    assert "GPU shares used not known of 2" in told
    assert "pods could not be read" not in text(view())


def test_each_section_says_how_old_it_is_and_where_it_is_from() -> None:
    told = text(view())
    for name in SourceName:
        assert (name.value in told) is (name is not SourceName.BILL)
    assert told.count("read at 09:00:00 UTC") >= 7


def test_the_verdict_counts_problems_and_tells_what_is_not_known() -> None:
    assert verdict(view()) == ("holds", "No open problem.")
    outcome, words = verdict(troubled())
    assert (outcome, words) == ("failed", "5 open problems.")
    assert verdict(view(**unread("drift")))[0] == "not measured"


def test_this_month_so_far_is_not_known_and_no_zero() -> None:
    assert "This month so far not known no bill is read" in text(view())


def test_the_week_is_told_with_what_was_felt_and_whose_it_is() -> None:
    html = running_page(view())
    assert "team fraud: image" in text(view())
    assert "without a scheduler for at most" in text(view())
    assert '<div data-team="fraud">team fraud: image' in html
    assert "Pulumi is locked" in text(
        view(history=reading(SourceName.HISTORY, None, why_not="Pulumi is locked"))
    )


def test_a_commit_that_names_a_credential_does_not_bring_it_onto_the_page() -> None:
    said = all_told(said_in_history(f"Authorization: Bearer {TOKEN}"))
    html = running_page(view(history=reading(SourceName.HISTORY, said)))
    assert "Authorization" in html
    assert TOKEN not in html


def test_what_nobody_keeps_is_no_source_that_failed() -> None:
    assert not_told(HISTORY) == ()
    assert not_told(said_in_history("not read")) == ("not read",)


def test_this_month_so_far_is_told_where_an_export_is_named() -> None:
    told = text(view(bill=reading(SourceName.BILL, BILL)))
    assert "This month so far 900 USD billed until 21 November, 00:00 UTC" in told
    assert "the month comes to 1,350" in told
    assert "climate 4.00 2,920 600" in told
    assert "Not asked: alerts" in told


def test_a_bill_that_cannot_be_read_is_said_and_is_no_zero() -> None:
    told = text(view(bill=reading(SourceName.BILL, None, why_not="BigQuery said no")))
    assert "not known the bill could not be read" in told
    assert "BigQuery said no" in told


def test_only_a_live_page_may_ask_and_only_where_it_is_from() -> None:
    html = running_page(view(), live=Live(made="7", every_s=5, stale="the last look failed"))
    assert "connect-src 'self'" in html
    assert "the last look failed" in html
    assert parsed(html).elements.count("script") == 1


def test_a_team_whose_pods_are_unknown_has_no_zero_workers() -> None:
    whole = gathered()
    teams = dict(whole.teams.value or {})
    teams["fraud"] = replace(teams["fraud"], groups=None)
    told = text(view(teams=reading(SourceName.PODS, teams)))
    assert "1 of not known" in told
