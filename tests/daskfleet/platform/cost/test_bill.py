"""Unit: a month's rows beside the forecast. Unknown is not zero, and nothing is spread."""

import json
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from daskfleet.platform.cost.bill import bill_of
from daskfleet.platform.cost.bill_model import Bill, Billed, LimitState
from daskfleet.platform.cost.bill_month import Month, midnight
from daskfleet.platform.cost.document import document_of
from daskfleet.platform.cost.focus import FocusError, FocusRow, focus_rows
from tests.daskfleet.planning.documents import minimal, planned
from tests.daskfleet.platform.cost.big_query import recorded
from tests.daskfleet.platform.cost.test_focus import ROW

OCTOBER = Month(first=date(2026, 10, 1))
AFTER = datetime(2026, 11, 20, tzinfo=UTC)
CLUSTER = {"goog-k8s-cluster-name": "rapids-gpu", "goog-k8s-cluster-location": "us-central1-c"}


def day(number: int, usd: float | str, namespace: str | None = "alpha", **more: str) -> FocusRow:
    """What a namespace cost on a day of October."""
    start = midnight(date(2026, 10, number))
    tags = {**CLUSTER, **({"k8s-namespace": namespace} if namespace else {})}
    given = {
        **ROW,
        "BilledCost": str(usd),
        "ChargePeriodStart": start.isoformat(),
        "ChargePeriodEnd": (start + timedelta(days=1)).isoformat(),
        "Tags": json.dumps(tags),
        **more,
    }
    return focus_rows([given])[0]


def bill(rows: list[FocusRow], *, now: datetime = AFTER, **settings: Any) -> Bill:
    plan = planned(minimal(**settings))
    return bill_of(
        rows,
        forecast=document_of(plan, stack="dev", today=now.date()),
        stack=plan.stack,
        month=OCTOBER,
        now=now,
        source="acme.export.t",
    )


def of(found: Bill, kind: str) -> Billed:
    return next(part for part in found.parts if part.kind == kind)


def recorded_rows() -> list[FocusRow]:
    answer = recorded()
    names = [field["name"] for field in answer["schema"]["fields"]]
    values = ([cell["v"] for cell in row["f"]] for row in answer["rows"])
    return list(focus_rows(dict(zip(names, row, strict=True)) for row in values))


def test_what_is_no_teams_is_told_apart_and_all_of_it_adds_up() -> None:
    found = bill(recorded_rows())

    assert {part.kind: part.billed_usd for part in found.parts} == {
        "team": 5400.0,
        "unused": 310.4,
        "overhead": 95.1,
        "unsupported": 15.2,
        "platform": 48.6,
        "cluster": 74.4,
        "outside": 51.03,
    }
    parts = [part.billed_usd or 0 for part in found.parts if part.kind != "outside"]
    assert found.fleet.billed_usd == round(sum(parts), 2) == 5943.7
    assert found.notes == ("Other clusters of the project were billed 777.00 USD.",)


def test_a_teams_month_stands_beside_its_forecast() -> None:
    found = bill(recorded_rows())
    team = of(found, "team")
    assert (team.forecast_idle_usd, team.forecast_full_usd) == (5727.99, 5727.99)
    assert team.beyond_forecast_usd == -327.99
    assert of(found, "unused").forecast_full_usd is None
    assert found.fleet.forecast_full_usd == 5915.54


def test_between_idle_and_full_is_as_forecast() -> None:
    pools = [{"name": "a100", "autoscaling": {"min_nodes": 0, "max_nodes": 2}}]
    for usd, beyond in ((1, -1), (1000, 0.0), (100_000, 1)):
        team = of(bill([day(3, usd)], worker_pools=pools), "team")
        idle, full = team.forecast_idle_usd or 0, team.forecast_full_usd or 0
        assert idle < 1000 < full
        expected = usd - idle if beyond < 0 else usd - full if beyond else 0
        assert team.beyond_forecast_usd == pytest.approx(expected, abs=0.011)


def test_a_team_without_a_row_is_unknown_and_not_zero() -> None:
    teams = [{"name": "alpha", "workers": 1}, {"name": "beta", "workers": 1}]
    teams[1]["monthly_budget_usd"] = 9
    found = bill([day(3, 5)], teams=teams, scheduler_pool={"node_count": 2})
    beta = next(part for part in found.parts if part.name == "beta")
    assert (beta.billed_usd, beta.month_usd, beta.beyond_forecast_usd) == (None, None, None)
    assert beta.state is LimitState.UNKNOWN
    assert any("beta" in note and "not zero" in note for note in found.notes)


def test_an_export_without_rows_says_so() -> None:
    found = bill([], monthly_budget_usd=9)
    assert (found.covered_until, found.fleet.billed_usd) == (None, None)
    assert found.fleet.state is LimitState.UNKNOWN
    assert "no row of the cluster" in found.notes[0]


def test_an_export_without_namespaces_says_what_is_missing() -> None:
    assert "No row tells a namespace" in bill([day(3, 5, namespace=None)]).notes[0]


def test_other_projects_months_and_places_are_not_counted() -> None:
    another = {**CLUSTER, "goog-k8s-cluster-location": "us-east1-b", "k8s-namespace": "alpha"}
    found = bill(
        [
            day(3, 5),
            day(3, 100, SubAccountId="somebodys"),
            day(3, 100, BillingPeriodStart="2026-11-01T07:00:00Z"),
            day(3, 100, Tags=json.dumps(another)),
        ]
    )
    assert found.fleet.billed_usd == 5


def test_other_currencies_count_at_googles_rate_or_not_at_all() -> None:
    euro = day(3, 90, BillingCurrency="EUR", x_CurrencyConversionRate="0.9")
    assert bill([euro, day(3, 1)]).fleet.billed_usd == 101
    with pytest.raises(FocusError, match="in EUR"):
        bill([day(3, 90, BillingCurrency="EUR", x_CurrencyConversionRate="")])


def october(number: int, hour: int = 12) -> datetime:
    return datetime(2026, 10, number, hour, tzinfo=UTC)


def test_the_rest_of_a_month_is_like_its_last_seven_whole_days() -> None:
    """Ten days of 10, seven of 20, and a day of which only a part is there yet."""
    rows = [
        *(day(number, 10) for number in range(1, 11)),
        *(day(number, 20) for number in range(11, 18)),
        day(18, 1),
    ]
    team = of(bill(rows, now=october(19)), "team")
    assert (team.billed_usd, team.month_usd) == (241, 10 * 10 + 7 * 20 + 14 * 20)


def test_what_is_billed_already_is_never_projected_away() -> None:
    rows = [day(1, 10), day(2, 10), day(3, 10), day(4, 5000)]
    assert (of(bill(rows, now=october(5)), "team").month_usd or 0) >= 5030


def test_use_of_the_month_before_counts_and_is_not_projected() -> None:
    """The invoice has it; the days of this month do not go on like it."""
    late = day(1, 310, ChargePeriodStart="2026-09-30T07:00:00Z")
    rows = [late, *(day(number, 10) for number in range(1, 12))]
    assert of(bill(rows, now=october(12)), "team").month_usd == 310 + 31 * 10


def test_a_month_that_is_just_over_is_no_less_for_what_is_not_there_yet() -> None:
    rows = [day(number, 10) for number in range(1, 30)]
    found = bill(rows, now=datetime(2026, 11, 1, 12, tzinfo=UTC))
    assert (of(found, "team").billed_usd, of(found, "team").month_usd) == (290, 310)
    assert any("does not reach the month's end" in note for note in found.notes)


def states(rows: list[FocusRow], now: datetime, limit: float) -> tuple[LimitState, LimitState]:
    teams = [{"name": "alpha", "monthly_budget_usd": limit}]
    found = bill(rows, now=now, teams=teams, monthly_budget_usd=limit)
    return of(found, "team").state, found.fleet.state


def both(state: LimitState) -> tuple[LimitState, LimitState]:
    return state, state


def test_a_month_that_will_pass_its_limit_is_told_before_it_has() -> None:
    rows = [day(number, 10) for number in range(1, 11)]
    assert states(rows, october(11), 309) == both(LimitState.PASSES)
    assert states(rows, october(11), 311) == both(LimitState.WITHIN)


def test_an_export_that_stopped_hides_nothing() -> None:
    """What it tells already is certain; what it does not, nobody knows."""
    rows = [day(number, 10) for number in range(1, 11)]
    assert states(rows, october(20), 311) == both(LimitState.UNKNOWN)
    assert states(rows, october(20), 309) == both(LimitState.PASSES)
    assert states(rows, AFTER, 311) == both(LimitState.UNKNOWN)
    assert states([*rows, day(31, 10)], AFTER, 311) == both(LimitState.WITHIN)


def test_what_is_billed_for_a_time_to_come_makes_no_day_whole() -> None:
    """One such row would have days without cost, and an export that stopped, taken for whole."""
    rows = [day(number, 10) for number in range(1, 11)]
    ahead = day(5, 1, ChargePeriodEnd="2026-11-01T07:00:00Z")
    assert states([*rows, ahead], october(11), 309) == both(LimitState.PASSES)
    assert states([*rows, ahead], october(20), 320) == both(LimitState.UNKNOWN)
    assert bill([ahead], now=october(11), monthly_budget_usd=9).fleet.state is LimitState.UNKNOWN


def test_a_month_that_has_just_begun_is_no_alarm() -> None:
    assert states([], october(2), 10) == both(LimitState.TOO_EARLY)
    assert states([day(1, 5)], october(3), 10) == both(LimitState.TOO_EARLY)
    assert states([day(1, 11)], october(3), 10) == both(LimitState.PASSES)
    assert states([], october(6), 10) == both(LimitState.UNKNOWN)


def test_without_a_limit_there_is_no_state() -> None:
    assert bill(recorded_rows()).states == {LimitState.NONE}
