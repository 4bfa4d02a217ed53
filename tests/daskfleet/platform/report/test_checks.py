"""Unit: three outcomes, and the worst is seen first."""

import pytest

from daskfleet.platform.report.checks import check_groups, outcome_of, tally, verdict
from daskfleet.platform.report.teams import team_marks
from rehearsal.report.model import Claim
from tests.daskfleet.platform.report.documents import FAILED, HOLDS, UNMEASURED

OF_FLEET = Claim(text="nothing is overcommitted", holds=True, evidence="5 nodes")


def test_what_was_not_measured_is_neither_right_nor_wrong() -> None:
    claims = (HOLDS, UNMEASURED, FAILED)
    assert [outcome_of(claim) for claim in claims] == ["holds", "not measured", "failed"]
    assert tally(claims) == "1 failed, 1 not measured, 1 holds"
    assert tally((HOLDS, HOLDS)) == "2 hold"


def test_the_fleet_comes_first_then_teams_and_within_each_what_failed() -> None:
    groups = check_groups((HOLDS, UNMEASURED, FAILED, OF_FLEET), team_marks(["climate"]))
    assert [group.title for group in groups] == ["The fleet", "Team climate"]
    outcomes = [check.outcome for check in groups[1].checks]
    assert outcomes == ["failed", "not measured", "holds"]
    assert groups[1].checks[0].next_step == FAILED.next_step


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ((HOLDS,), ("holds", "All 1 claim hold.")),
        ((HOLDS, UNMEASURED), ("holds", "All 1 claim hold; 1 more could not be measured here.")),
        ((FAILED, HOLDS), ("failed", "1 of 2 claims does not hold.")),
        ((UNMEASURED,), ("not measured", "Nothing was measured.")),
        ((), ("not measured", "Nothing was measured.")),
    ],
)
def test_the_verdict_is_one_line(claims: tuple[Claim, ...], expected: tuple[str, str]) -> None:
    assert verdict(claims) == expected
