"""Unit tests: from documents to settings, and to all mistakes at once."""

from typing import Any

import pytest

from daskfleet.settings.loading import Draft, parse
from daskfleet.settings.names import TEAM_NAME_MAX_LENGTH

Document = dict[str, Any]


def document(**changes: Any) -> Document:
    return {"project": "example-project", "teams": [{"name": "alpha"}], **changes}


def keys(draft: Draft) -> list[str]:
    return [problem.key for problem in draft.problems]


def test_a_document_in_order_has_settings_and_no_problem() -> None:
    draft = parse(document(), file="f")
    assert draft.stack is not None
    assert draft.stack.teams[0].name == "alpha"
    assert draft.problems == ()


def test_mistakes_of_all_kinds_are_found_in_one_reading() -> None:
    draft = parse(
        {
            "projct": "example-project",
            "cluster": {"name": "Rapids", "endpoint": {"kind": "ip"}},
            "network": {"pods_cidr": "10.4.0.0/33"},
            "scheduler_pool": {"node_count": 1, "autoscaling": {"min_nodes": 0, "max_nodes": 1}},
            "teams": [
                {"name": "alpha", "wrokers": 2, "scheduler": {"cpu": "two"}},
                "beta",
                {"workers": -1},
            ],
        },
        file="f",
    )
    assert set(keys(draft)) == {
        "projct",
        "project",
        "cluster.name",
        "cluster.endpoint.kind",
        "network.pods_cidr",
        "scheduler_pool.node_count",
        "teams[0].wrokers",
        "teams[0].scheduler.cpu",
        "teams[1]",
        "teams[2].name",
        "teams[2].workers",
    }
    assert len(keys(draft)) == len(set(keys(draft)))


def test_what_is_understood_of_a_broken_team_has_no_workers() -> None:
    draft = parse(
        document(teams=[{"name": "alpha", "workers": "many"}, {"name": "beta"}]), file="f"
    )
    assert draft.stack is not None
    assert [(team.name, team.workers) for team in draft.stack.teams] == [("alpha", 0), ("beta", 2)]


@pytest.mark.parametrize(
    "section",
    [
        {"worker_pools": []},
        {"worker_pools": [{"node_count": 0}]},
        {"scheduler_pool": {"gpus_per_node": 9}},
        {"image": 5},
        {"driver": "daemonset"},
        {"location": "Iowa"},
        {"teams": []},
        {"teams": "alpha"},
    ],
    ids=str,
)
def test_no_settings_are_understood_where_other_checks_would_guess(section: Document) -> None:
    draft = parse(document(**section), file="f")
    assert draft.stack is None
    assert len(draft.problems) == 1


def test_a_driver_needs_no_mode_when_it_names_a_version() -> None:
    draft = parse(document(driver={"version": "570.195.03"}), file="f")
    assert draft.stack is not None
    assert draft.stack.driver.install == "daemonset"


def test_a_team_name_may_be_as_long_as_the_operator_s_suffix_leaves_room_for() -> None:
    longest = "a" * TEAM_NAME_MAX_LENGTH
    assert len(f"{longest}-scheduler") == 63
    assert parse(document(teams=[{"name": longest}]), file="f").problems == ()
    assert keys(parse(document(teams=[{"name": longest + "a"}]), file="f")) == ["teams[0].name"]


def test_an_encrypted_value_deep_inside_is_refused_and_not_shown() -> None:
    draft = parse(
        document(teams=[{"name": "alpha", "labels": {"token": {"secure": "v1:abc"}}}]), file="f"
    )
    assert keys(draft) == ["teams[0].labels.token"]
    assert draft.problems[0].value == "[secret]"


def test_a_long_value_is_cut() -> None:
    draft = parse(document(image={"ref": ["x" * 1000], "rapids": "26.10", "cuda": 12}), file="f")
    assert len(draft.problems[0].value) == 100


def test_the_document_itself_is_left_alone() -> None:
    given = document(teams=[{"name": "alpha", "wrokers": 1, "workers": "x"}])
    parse(given, file="f")
    assert given == document(teams=[{"name": "alpha", "wrokers": 1, "workers": "x"}])


def test_a_setting_under_its_old_name_works_and_says_so() -> None:
    draft = parse(document(cluster={"deletion_protection": False}), file="f")
    assert draft.problems == ()
    assert draft.stack is not None
    assert not draft.stack.long_lived
    assert "cluster.deletion_protection is called long_lived" in draft.notices[0]


def test_an_old_name_beside_the_new_one_is_refused() -> None:
    draft = parse(document(cluster={"deletion_protection": False}, long_lived=True), file="f")
    assert keys(draft) == ["cluster.deletion_protection"]
    assert draft.notices == ()


def test_a_rollout_may_be_named_alone() -> None:
    draft = parse(document(teams=[{"name": "alpha", "rollout": "blue-green"}]), file="f")
    assert draft.stack is not None
    assert draft.stack.teams[0].rollout.kind == "blue-green"


def test_recreate_cannot_wait_for_what_is_gone() -> None:
    draft = parse(document(teams=[{"name": "alpha", "rollout": {"wait_idle_s": 60}}]), file="f")
    assert keys(draft) == ["teams[0].rollout.wait_idle_s"]
