"""Unit: how far a cold toolchain is, and how long it still takes."""

import re
from dataclasses import dataclass, field

import pytest

from rehearsal.toolchain.course import BAR_WIDTH, Course, bar, minutes, usual_build_s
from rehearsal.toolchain.releases import Release, releases

ETCD, KUBERNETES = releases()["etcd"], releases()["kubernetes"]


@dataclass
class Watched:
    """A course on a clock that a test turns."""

    now_s: float = 0.0
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.course = Course(
            (ETCD, KUBERNETES), progress=self.said.append, clock=lambda: self.now_s
        )

    def build(self, release: Release, *, times: float) -> None:
        """Build a release in so many times its usual time."""
        self.course.begin(release)
        self.course.build()
        self.now_s += times * usual_build_s(release)
        self.course.end()

    def shown(self) -> tuple[int, str, int]:
        """Per cent done, how sure the rest is, and minutes left."""
        self.course.say("something")
        found = re.search(r" +(\d+)%, (at most|about) (\d+) min left: something$", self.said[-1])
        assert found
        return int(found[1]), found[2], int(found[3])


@pytest.fixture
def watched() -> Watched:
    return Watched()


def test_before_anything_is_built_the_time_is_the_longest_that_it_may_be(watched: Watched) -> None:
    watched.course.begin(ETCD)

    assert watched.shown() == (0, "at most", 8)


def test_what_is_downloaded_takes_its_time_off_the_rest(watched: Watched) -> None:
    watched.course.begin(KUBERNETES)
    watched.course.end()

    share, words, left = watched.shown()

    assert share == round(100 * 7.5 / 8.3)
    assert (words, left) == ("at most", 1)


def test_a_build_moves_the_bar_as_it_goes_on(watched: Watched) -> None:
    watched.course.begin(KUBERNETES)
    watched.course.build()
    before = watched.shown()
    watched.now_s += usual_build_s(KUBERNETES) / 2
    between = watched.shown()
    watched.now_s += usual_build_s(KUBERNETES) * 2
    late = watched.shown()

    assert before[:2] == (0, "about")
    assert before[2] > between[2]
    assert before[0] < between[0] < late[0] < 100


@pytest.mark.parametrize(("times", "left"), [(0.5, 4), (1.0, 8), (3.0, 22)])
def test_the_rest_takes_as_long_as_this_machine_has_taken_so_far(
    watched: Watched, times: float, left: int
) -> None:
    watched.build(ETCD, times=times)
    watched.course.begin(KUBERNETES)

    assert watched.shown()[1:] == ("about", left)


def test_all_in_place_is_a_full_bar(watched: Watched) -> None:
    watched.build(ETCD, times=1)
    watched.build(KUBERNETES, times=1)

    watched.course.say("all is in place")

    assert watched.said[-1] == f"{bar(1.0)} 100%: all is in place"


@pytest.mark.parametrize(("share", "full"), [(0.0, 0), (0.5, BAR_WIDTH // 2), (1.0, BAR_WIDTH)])
def test_the_bar_is_as_long_as_the_share(share: float, full: int) -> None:
    assert bar(share).count("█") == full
    assert len(bar(share)) == BAR_WIDTH


def test_a_guess_is_rounded() -> None:
    assert [minutes(each) for each in (0, 59, 89, 125)] == ["1 min", "1 min", "1 min", "2 min"]
