"""Unit: what each update did, from Pulumi's records and what Kubernetes tells."""

from datetime import timedelta

import pytest

from daskfleet.platform.history.gaps import MadeCluster
from daskfleet.platform.history.model import NodeMove, of_team
from daskfleet.platform.history.seen import Seen
from tests.daskfleet.platform.history.records import IMAGE, OTHER, at, history, record, team


def made(minutes: float, *, ready_after_s: float | None, name: str = "fraud") -> Seen:
    cluster = MadeCluster(
        name=name,
        made_at=at(minutes),
        ready_at=None if ready_after_s is None else at(minutes) + timedelta(seconds=ready_after_s),
    )
    return Seen(clusters=((name, cluster),), nodes=())


ROLL = (
    record(0, team("fraud"), team("risk")),
    record(60, team("fraud", image=OTHER), team("risk")),
)


def test_the_first_update_brings_all_teams() -> None:
    (first,) = history(record(0, team("fraud"), team("risk"))).updates
    assert [(each.team, each.what, each.after) for each in first.teams] == [
        ("fraud", "came", IMAGE),
        ("risk", "came", IMAGE),
    ]
    assert {pool.what for pool in first.pools} == {"came"}


def test_another_image_is_told_of_its_team_alone() -> None:
    newest, _ = history(*ROLL).updates
    (change,) = newest.teams
    assert (change.team, change.what, change.before, change.after) == (
        "fraud",
        "image",
        IMAGE,
        OTHER,
    )
    assert newest.resources == {"same": 60, "update": 2}
    assert newest.message == "Another image"


def test_the_stacks_image_is_that_of_teams_that_name_none() -> None:
    old, new = (
        record(minutes, {"name": "fraud", "workers": 2}, settings={"image": image})
        for minutes, image in ((0, IMAGE), (60, OTHER))
    )
    (change,) = history(old, new).updates[0].teams
    assert (change.what, change.before, change.after) == ("image", IMAGE, OTHER)


def test_without_the_cluster_a_gap_is_no_longer_than_the_up() -> None:
    (change,) = history(*ROLL).updates[0].teams
    assert change.gap is not None
    assert (change.gap.at_least_s, change.gap.at_most_s) == (None, 121)


def test_the_cluster_that_runs_still_narrows_the_gap_from_both_sides() -> None:
    (change,) = history(*ROLL, seen=made(61, ready_after_s=30)).updates[0].teams
    assert change.gap is not None
    assert (change.gap.at_least_s, change.gap.at_most_s) == (29, 91)


def test_a_scheduler_that_came_later_says_nothing_of_the_roll() -> None:
    (change,) = history(*ROLL, seen=made(61, ready_after_s=3600)).updates[0].teams
    assert change.gap is not None
    assert (change.gap.at_least_s, change.gap.at_most_s) == (None, 121)


def test_a_failed_up_leaves_the_end_open_until_one_succeeds() -> None:
    failed = record(60, team("fraud", image=OTHER), result="failed")
    (change,) = history(record(0, team("fraud")), failed).updates[0].teams
    assert change.gap is not None
    assert change.gap.at_most_s is None
    again = record(90, team("fraud", image=OTHER))
    newest, tried, _ = history(record(0, team("fraud")), failed, again).updates
    assert newest.teams == ()
    (change,) = tried.teams
    assert change.gap is not None
    assert change.gap.at_most_s == 30 * 60 + 120 + 1


def test_a_blue_green_team_is_never_without_and_it_says_that_nobody_measured() -> None:
    teams = (team("fraud", rollout="blue-green", image=image) for image in (IMAGE, OTHER))
    old, new = (record(60 * index, each) for index, each in enumerate(teams))
    (change,) = history(old, new).updates[0].teams
    assert change.gap is not None
    assert (change.gap.at_least_s, change.gap.at_most_s) == (0, 0)
    assert "not measured" in change.gap.evidence


def test_more_workers_leave_the_cluster_and_make_no_gap() -> None:
    (change,) = (
        history(record(0, team("fraud")), record(9, team("fraud", workers=4))).updates[0].teams
    )
    assert (change.what, change.before, change.after) == ("workers", "2", "4")
    assert (change.is_another_cluster, change.gap) == (False, None)


SETTINGS = (record(0, team("fraud")), record(60, team("fraud", scheduler={"memory_gib": 8})))


@pytest.mark.parametrize(
    ("seen", "replaced", "gap"),
    [
        (made(0.5, ready_after_s=9), False, None),
        (made(61, ready_after_s=9), True, (8, 70)),
        (made(600, ready_after_s=9), None, (None, 121)),
        (None, None, (None, 121)),
    ],
)
def test_whether_other_settings_replaced_the_cluster_its_own_age_tells(
    *, seen: Seen | None, replaced: bool | None, gap: tuple[int | None, int] | None
) -> None:
    (change,) = history(*SETTINGS, seen=seen).updates[0].teams
    assert (change.what, change.is_another_cluster) == ("settings", replaced)
    assert (change.gap and (change.gap.at_least_s, change.gap.at_most_s)) == gap


def test_a_cluster_that_is_new_under_the_same_settings_is_told() -> None:
    same = (record(0, team("fraud")), record(60, team("fraud")))
    (change,) = history(*same, seen=made(61, ready_after_s=9)).updates[0].teams
    assert (change.what, change.is_another_cluster) == ("cluster", True)


def test_teams_come_retire_and_go_and_a_destroy_takes_all() -> None:
    newest, gone, retired, _ = history(
        record(0, team("fraud"), team("risk")),
        record(10, team("fraud"), team("risk", retire=True)),
        record(20, team("fraud"), kind="destroy"),
        record(30, team("fraud")),
    ).updates
    assert [(each.team, each.what) for each in retired.teams] == [("risk", "went")]
    assert [(each.team, each.what) for each in gone.teams] == [("fraud", "went")]
    assert [(each.team, each.what) for each in newest.teams] == [("fraud", "came")]


def test_settings_that_this_release_does_not_read_are_said_to_be_unknown() -> None:
    strange = record(10, team("fraud", no_such_setting=1))
    newest, unread, _ = history(
        record(0, team("fraud")), strange, record(20, team("fraud", image=OTHER))
    ).updates
    assert "does not read the settings" in unread.unknown
    assert "not known" in newest.unknown
    assert unread.teams == newest.teams == ()


def test_what_was_before_a_history_that_was_cut_is_unknown() -> None:
    (only,) = history(record(0, team("fraud")), is_all=False).updates
    assert only.teams == ()
    assert only.unknown


def test_a_refresh_changes_nobody() -> None:
    newest, _ = history(record(0, team("fraud")), record(5, kind="refresh")).updates
    assert (newest.teams, newest.pools, newest.unknown) == ((), (), "")


def test_updates_before_the_time_are_only_compared_with() -> None:
    old = record(-60 * 24 * 3, team("fraud"))
    (newest,) = history(old, record(0, team("fraud", image=OTHER))).updates
    assert [each.what for each in newest.teams] == ["image"]


def test_nodes_are_told_where_they_moved() -> None:
    moves = tuple(
        NodeMove(node=name, pool="a100", what="came", at=at(minutes))
        for name, minutes in (("during", 61), ("between", 120), ("long-ago", -60 * 24 * 9))
    )
    told = history(*ROLL, seen=Seen(clusters=(), nodes=moves))
    assert [move.node for move in told.updates[0].nodes] == ["during"]
    assert [move.node for move in told.nodes] == ["between"]
    assert any("Kubernetes keeps" in each for each in told.unknown)


def test_where_it_ran_is_what_pulumi_notes() -> None:
    noted = {
        "git.head": "c82182012c426d87",
        "git.author": "Grace",
        "git.dirty": "true",
        "ci.build.url": "https://ci.example/7",
        "updatePlan": "true",
    }
    (only,) = history(record(0, team("fraud"), environment=noted)).updates
    assert (only.commit, only.author, only.is_dirty) == ("c82182012c426d87", "Grace", True)
    assert (only.run_url, only.held_to_a_plan) == ("https://ci.example/7", True)
    (bare,) = history(record(0, team("fraud"))).updates
    assert (bare.commit, bare.held_to_a_plan) == ("", None)


def test_one_teams_history_has_nobody_elses_changes() -> None:
    own = of_team(history(*ROLL), "risk")
    assert [[each.team for each in update.teams] for update in own.updates] == [["risk"]]


def test_a_cluster_that_could_not_be_asked_is_said() -> None:
    assert history(*ROLL).unknown == ("The cluster was not asked: no login.",)
