"""Unit: may a merge go on?"""

import pytest

from daskfleet.catalog.changes import ChangeClass
from daskfleet.platform.review.gate import DESTRUCTIVE, LONGEST_REASON, gate
from daskfleet.platform.review.model import PolicyFinding, PolicyLevel

HARMLESS = [each for each in ChangeClass if each not in DESTRUCTIVE]


def finding(level: PolicyLevel, policy: str = "same-image") -> PolicyFinding:
    return PolicyFinding(pack="daskfleet", policy=policy, level=level, message="No.")


@pytest.mark.parametrize("each", HARMLESS, ids=lambda each: each.value)
def test_what_can_be_taken_back_passes_unasked(each: ChangeClass) -> None:
    assert gate({each}, allowed=(), policies=()).passes


@pytest.mark.parametrize("each", DESTRUCTIVE, ids=lambda each: each.value)
def test_what_destroys_passes_only_when_exactly_it_is_allowed(each: ChangeClass) -> None:
    others = [other for other in DESTRUCTIVE if other is not each]
    stopped = gate({each, *HARMLESS}, allowed=others, policies=())
    passed = gate({each, *HARMLESS}, allowed=[each], policies=())

    assert not stopped.passes
    assert stopped.missing == (each,)
    assert each.value in stopped.why
    assert passed.passes
    assert (passed.missing, passed.allowed) == ((), (each,))


def test_one_allowance_of_two_is_not_enough_and_the_gate_says_which_is_missing() -> None:
    decided = gate(DESTRUCTIVE, allowed=[ChangeClass.REPLACES_POOL], policies=())

    assert not decided.passes
    assert decided.missing == (ChangeClass.REPLACES_CLUSTER, ChangeClass.DESTROYS_DATA)
    assert decided.allowed == (ChangeClass.REPLACES_POOL,)


def test_an_allowance_that_nothing_needs_is_not_told() -> None:
    assert gate((), allowed=DESTRUCTIVE, policies=()).allowed == ()


@pytest.mark.parametrize("level", ["advisory", "remediate"])
def test_advice_and_corrections_pass(level: PolicyLevel) -> None:
    assert gate((), allowed=(), policies=[finding(level)]).passes


def test_neither_a_mandatory_policy_nor_a_failure_passes_with_all_allowances() -> None:
    refused = gate((), allowed=DESTRUCTIVE, policies=[finding("mandatory")] * 3, failure="failed")
    failed = gate((), allowed=DESTRUCTIVE, policies=(), failure="no credentials")

    assert not refused.passes
    assert refused.why == "A policy refuses it: same-image"
    assert not failed.passes
    assert failed.why == "The preview failed: no credentials"


def test_the_reason_fits_a_commit_status_and_is_one_line() -> None:
    why = gate((), allowed=(), policies=(), failure="first " * 100 + "\nsecond").why

    assert len(why) <= LONGEST_REASON
    assert "\n" not in why
    assert why.endswith("…")
