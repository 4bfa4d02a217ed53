"""Unit: checks of `verify` as claims."""

from daskfleet.team.verify.model import Report, TeamReport, failed, not_measured, passed
from rehearsal.report.verified import Verified, claims_of


def test_each_check_is_a_claim_of_its_team() -> None:
    checks = (
        passed("workers", expected="2 workers", seen="2 connected"),
        not_measured("GPUs", expected="an A100", seen="no GPU"),
        failed("versions", expected="the same", seen="3.12 and 3.13", next_step="mend it"),
    )
    printed = Report(stack="s", teams=(TeamReport(team="climate", checks=checks),))
    ok, unmeasured, wrong = claims_of(Verified.model_validate_json(printed.model_dump_json()))

    assert {claim.team for claim in (ok, unmeasured, wrong)} == {"climate"}
    assert (ok.text, ok.holds, ok.evidence) == ("workers: 2 workers", True, "2 connected")
    assert not unmeasured.holds
    assert not unmeasured.fails
    assert unmeasured.evidence == "not measured: no GPU"
    assert wrong.fails
    assert wrong.next_step == "mend it"
