"""Unit: how paths of inputs are read and spelled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daskfleet.planning.changes.property_path import keys_of, parts_of, path_text


@pytest.mark.parametrize(
    ("path", "keys"),
    [
        ("nodeConfig.machineType", ("nodeConfig", "machineType")),
        ("nodeConfig.taints[0].key", ("nodeConfig", "taints", "key")),
        (
            'metadata.labels["app.kubernetes.io/name"]',
            ("metadata", "labels", "app.kubernetes.io/name"),
        ),
        ('values["a\\"b"][2]', ("values", 'a"b')),
        ("", ()),
    ],
)
def test_a_path_is_read_as_the_engine_spells_it(path: str, keys: tuple[str, ...]) -> None:
    assert keys_of(path) == keys


@pytest.mark.parametrize("path", ['a["b', "a[x]", "[", "a]"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="is not a property path"):
        keys_of(path)


def test_a_path_is_spelled_as_the_engine_does() -> None:
    path = ("metadata", "labels", "app.kubernetes.io/part-of")
    assert path_text(("spec", "ports", 0, "name")) == "spec.ports[0].name"
    assert path_text(path) == 'metadata.labels["app.kubernetes.io/part-of"]'


@given(st.lists(st.text() | st.integers(min_value=0)))
def test_every_path_that_is_spelled_is_read_as_it_was(parts: list[str | int]) -> None:
    assert parts_of(path_text(parts)) == tuple(parts)
