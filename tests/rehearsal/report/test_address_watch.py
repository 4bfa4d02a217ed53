"""Unit: how long nobody answers at an address."""

from rehearsal.report.address_watch import Moment, unserved_s

OLD, NEW = frozenset({"old"}), frozenset({"new"})


def moments(*changes: tuple[float, frozenset[str]]) -> list[Moment]:
    return [Moment(at_s=at_s, schedulers=schedulers) for at_s, schedulers in changes]


def test_an_address_that_passes_from_hand_to_hand_is_always_served() -> None:
    assert unserved_s(moments((0, OLD), (3, OLD | NEW), (4, NEW), (9, NEW))) == 0


def test_every_gap_counts_and_nothing_else() -> None:
    seen = moments((0, OLD), (2, frozenset()), (5, NEW), (6, frozenset()), (6.5, NEW), (9, NEW))

    assert unserved_s(seen) == 3.5


def test_a_gap_that_has_not_ended_counts_until_the_end() -> None:
    assert unserved_s(moments((0, OLD), (2, frozenset()), (9, frozenset()))) == 7
