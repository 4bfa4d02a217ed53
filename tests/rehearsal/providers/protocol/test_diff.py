"""Detailed diffs of the provider protocol. Unit tier: pure functions."""

from rehearsal.providers.protocol import (
    Change,
    Secret,
    changed_paths,
    covered_by,
    format_path,
    with_replacements,
)


def test_equal_properties_have_no_changes_and_none_equals_absence() -> None:
    assert changed_paths({"a": None, "b": {"c": None}}, {"b": {}}) == {}


def test_an_added_block_is_reported_leaf_by_leaf() -> None:
    assert changed_paths({}, {"labels": {"a": "1"}, "taints": [{"key": "k"}]}) == {
        ("labels", "a"): Change.ADD,
        ("taints", 0, "key"): Change.ADD,
    }


def test_an_empty_block_that_appears_is_a_change() -> None:
    assert changed_paths({}, {"emptyDir": {}}) == {("emptyDir",): Change.ADD}


def test_a_changed_type_is_an_update() -> None:
    assert changed_paths({"v": 1}, {"v": True}) == {("v",): Change.UPDATE}


def test_wrapping_a_value_as_secret_alone_changes_nothing() -> None:
    assert changed_paths({"v": "x"}, {"v": Secret("x")}) == {}


def test_a_replacing_pattern_covers_everything_below_it_in_any_list_position() -> None:
    covers = covered_by(["nodeConfig.guestAccelerators"])
    assert covers(("nodeConfig", "guestAccelerators", 1, "type"))
    assert not covers(("nodeConfig", "labels", "guestAccelerators"))


def test_only_changes_on_replacing_paths_become_replacements() -> None:
    changes = changed_paths({"name": "a", "size": 1}, {"name": "b", "size": 2})
    assert with_replacements(changes, replacing=covered_by(["name"])) == {
        ("name",): Change.UPDATE_REPLACE,
        ("size",): Change.UPDATE,
    }


def test_paths_quote_keys_that_are_not_plain() -> None:
    path = ("nodeConfig", "labels", "cloud.google.com/x", 0, "b")
    assert format_path(path) == 'nodeConfig.labels["cloud.google.com/x"][0].b'
