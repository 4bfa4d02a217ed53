"""Unit: what is said of a team's TLS."""

from datetime import UTC, datetime, timedelta

import pytest

from daskfleet.team.verify.model import Outcome
from tests.daskfleet.team.verify.samples import checked, dask, facts, the_only_failure, tls


def test_of_a_team_without_tls_nothing_is_said() -> None:
    assert "TLS" not in checked(facts(tls=None), tls_client_secret=None)


def test_an_anonymous_client_who_is_let_in_is_a_failure() -> None:
    failure = the_only_failure(checked(facts(tls=tls(anonymous_client_refused=False))))

    assert failure.name == "TLS"
    assert "a client without a certificate is let in" in failure.seen


def test_certificates_that_end_within_a_month_are_a_failure_with_the_cure() -> None:
    soon = datetime.now(UTC) + timedelta(days=20)
    failure = the_only_failure(checked(facts(tls=tls(valid_until=soon))))

    assert "tls.rotation" in failure.next_step


def test_an_anonymous_client_without_an_answer_proves_nothing() -> None:
    unanswered = tls(
        anonymous_client_refused=None, anonymous_client_outcome="no answer within 10 s"
    )

    assert checked(facts(tls=unanswered))["TLS"].outcome is Outcome.NOT_MEASURED


def test_without_a_connection_nobody_was_refused_for_the_right_reason() -> None:
    cut = facts(dask=dask(connection_error="no route"))

    assert checked(cut)["TLS"].outcome is Outcome.NOT_MEASURED


@pytest.mark.parametrize("asleep", ["", "asleep since noon"])
def test_a_certificate_that_is_not_there_is_the_failure_and_nobody_is_asked(asleep: str) -> None:
    gone = "Secret dask-tls-client-1-365d is not there"
    unasked = facts(
        certificate_error=gone, asleep=asleep, tls=None, dask=dask(connection_error="none to show")
    )
    found = checked(unasked)

    assert (found["TLS"].outcome, found["TLS"].seen) == (Outcome.FAILED, gone)
    assert found["connection"].outcome is Outcome.NOT_MEASURED
