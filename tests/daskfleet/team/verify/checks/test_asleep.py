"""Unit: a team whose workers sleep is not broken, and nothing is said of its workers."""

from daskfleet.team.verify.facts import TeamFacts
from daskfleet.team.verify.model import Outcome
from tests.daskfleet.team.verify.samples import checked, dask, facts, pod, the_only_failure

SINCE = "asleep since 2026-11-22 12:00 UTC, 2 declared; they come back with the first task"


def sleeping(*pods: str) -> TeamFacts:
    return facts(
        pods=tuple(pod(name) for name in pods),
        asleep=SINCE,
        dask=dask(connection_error="not asked", workers=()),
    )


def test_its_scheduler_and_dashboard_are_checked_and_its_workers_are_not() -> None:
    checks = checked(sleeping("scheduler"))
    told = {name: check for name, check in checks.items() if check.outcome is Outcome.OK}

    assert told.keys() == {"pods ready", "pods on their pools", "image of every pod", "dashboard"}
    rest = [check for name, check in checks.items() if name not in told]
    assert {check.outcome for check in rest} == {Outcome.NOT_MEASURED}
    assert {check.seen for check in rest} == {SINCE}
    assert "`daskfleet wake fraud`" in rest[0].next_step


def test_a_scheduler_that_is_gone_is_missed_all_the_same() -> None:
    found = facts(pods=(), asleep=SINCE, dask=dask(connection_error="not asked", workers=()))

    failures = [c.name for c in checked(found).values() if c.outcome is Outcome.FAILED]
    assert "pods ready" in failures


def test_every_check_is_told_whether_the_team_sleeps_or_not() -> None:
    assert checked(sleeping("scheduler")).keys() == checked(facts()).keys()


def test_a_worker_that_stayed_is_one_too_many() -> None:
    failure = the_only_failure(checked(sleeping("scheduler", "worker-0")))

    assert failure.name == "pods ready"
