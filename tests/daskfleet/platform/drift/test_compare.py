"""Comparison by meaning."""

from typing import Any

import pytest

from daskfleet.platform.drift.compare import changes, value_at
from daskfleet.platform.drift.model import HIDDEN


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        ({"a": 1}, {"a": 1, "added": 2}),
        ({"a": {}}, {}),
        ({"a": None, "b": [], "c": ""}, {}),
        ({"limits": {"memory": "1Gi"}}, {"limits": {"memory": "1024Mi"}}),
        ({"limits": {"cpu": "1000m"}}, {"limits": {"cpu": 1}}),
        ({"hard": {"requests.nvidia.com/gpu": "3"}}, {"hard": {"requests.nvidia.com/gpu": "3"}}),
        ({"items": [{"a": 1}]}, {"items": [{"a": 1, "defaulted": True}]}),
        ({"data": {"token": HIDDEN}}, {"data": {"token": "aHVudGVyMg=="}}),
        ({"data": HIDDEN}, {"data": {"token": "aHVudGVyMg=="}}),
    ],
)
def test_what_means_the_same_is_no_change(declared: Any, found: Any) -> None:
    assert list(changes(declared, found)) == []


@pytest.mark.parametrize(
    ("declared", "found", "path"),
    [
        ({"a": 1}, {"a": 2}, ("a",)),
        ({"a": 1}, {}, ("a",)),
        ({"a": False}, {}, ("a",)),
        ({"data": {"token": HIDDEN}}, {"data": {}}, ("data", "token")),
        ({"a": 0}, {}, ("a",)),
        ({"limits": {"memory": "1Gi"}}, {"limits": {"memory": "1G"}}, ("limits", "memory")),
        ({"image": "1000m"}, {"image": "1"}, ("image",)),
        ({"args": ["a", "b"]}, {"args": ["b", "a"]}, ("args", 0)),
        ({"items": [{"a": 1}]}, {"items": [{"a": 2}]}, ("items", 0, "a")),
        ({"items": [1]}, {"items": [1, 2]}, ("items",)),
    ],
)
def test_what_differs_is_found_where_it_differs(declared: Any, found: Any, path: Any) -> None:
    first = next(iter(changes(declared, found)))
    assert first.path == path
    assert (first.declared, first.found) == (value_at(declared, path), value_at(found, path))
