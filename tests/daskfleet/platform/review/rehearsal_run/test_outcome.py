"""Unit: what the review is told of a rehearsal."""

from daskfleet.platform.review.model import Discrepancy, Preview
from daskfleet.platform.review.rehearsal_run.outcome import noise, reasons, unserved
from rehearsal.report.address_watch import Moment
from rehearsal.report.model import SecondUp
from tests.components.fleets import fleet

SERVED, NOBODY = frozenset({"pod"}), frozenset[str]()


def moments(*changes: tuple[float, frozenset[str]]) -> list[Moment]:
    return [Moment(at_s=at_s, schedulers=schedulers) for at_s, schedulers in changes]


def test_only_teams_that_lost_a_scheduler_and_are_to_have_one_are_counted() -> None:
    seen = {
        "alpha": moments((0, SERVED), (2, NOBODY), (5, SERVED), (9, SERVED)),
        "beta": moments((0, SERVED), (9, SERVED)),
        "new": moments((0, NOBODY), (4, SERVED), (9, SERVED)),
        "removed": moments((0, SERVED), (2, NOBODY), (9, NOBODY)),
    }
    teams = [{"name": name, "workers": 1} for name in ("alpha", "beta", "new")]
    plan = fleet(teams=teams, scheduler_pool={"node_count": 3})

    assert unserved(seen, plan) == {"alpha": 3}


def test_a_second_up_that_is_silent_is_nothing_to_speak_of() -> None:
    silent = SecondUp(changed_resources=0, google_writes=(), kubernetes_writes=())

    assert list(noise(silent)) == []


def test_a_second_up_that_changes_or_writes_is_a_difference() -> None:
    loud = SecondUp(
        changed_resources=2,
        google_writes=("PATCH /clusters/a",),
        kubernetes_writes=("patch a", "patch b", "patch c"),
    )

    assert list(noise(loud)) == [
        Discrepancy(
            subject="a second `pulumi up`",
            foretold="changes nothing, writes nothing",
            seen="2 resources changed; PATCH /clusters/a; patch a; patch b",
        )
    ]


def test_a_failure_has_the_engines_words_or_says_that_there_are_none() -> None:
    failed = Preview(project="p", stack="s", errors=("a", "b", "c", "d"), result="failed")

    assert reasons(failed) == "a; b; c"
    assert reasons(Preview(project="p", stack="s")) == "the engine gave no reason"
