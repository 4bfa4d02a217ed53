"""Unit: every team that the report knows has a row, and what is the matter is counted."""

from daskfleet.platform.report.team_rows import TeamRow, team_rows
from daskfleet.platform.report.teams import team_marks
from rehearsal.report.model import Report
from tests.daskfleet.platform.report.documents import broken, changed, sample

MARKS = team_marks(["climate", "genomics", "asleep"])


def rows_of(report: Report) -> tuple[TeamRow, ...]:
    """The rows of a rehearsal's report."""
    shares = report.cost.teams if report.cost else {}
    return team_rows(
        report.pods,
        MARKS,
        failed=[claim.team for claim in report.claims if claim.fails],
        full_usd_per_month={name: share.full for name, share in shares.items()},
    )


def test_pods_failed_checks_and_cost_are_those_of_the_team() -> None:
    asleep, climate, genomics = rows_of(broken())
    assert (climate.has, climate.pods, climate.unready, climate.failed) == (
        "1 scheduler, 2 workers",
        3,
        1,
        1,
    )
    assert (genomics.has, genomics.unready, genomics.failed) == ("1 scheduler, 1 worker", 1, 0)
    assert climate.full_usd == "5,590"
    assert climate.is_troubled
    assert (asleep.has, asleep.pods, asleep.is_troubled) == ("no pods", 0, False)


def test_what_no_price_is_known_for_is_not_free() -> None:
    rows = rows_of(broken())
    assert rows[0].full_usd == ""
    assert {row.full_usd for row in rows_of(changed(sample(), cost=None))} == {""}
