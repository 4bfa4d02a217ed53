"""Unit: values as expressions. Whether they compile, a real API server says (tests/attacks)."""

from typing import Any

import pytest

from manifests.cel import literal


def test_text_is_quoted_and_may_have_holes() -> None:
    holes = {"<name>": "string(object.metadata.name)"}

    assert literal('it\'s "so"\n', holes=holes) == '"it\'s \\"so\\"\\n"'
    assert literal("<name>", holes=holes) == "string(object.metadata.name)"
    assert literal("a-<name>-b", holes=holes) == '"a-" + string(object.metadata.name) + "-b"'


def test_members_of_several_types_are_dynamic_and_texts_are_not() -> None:
    assert literal({"a": "x", "b": "y"}, holes={}) == '{"a": "x", "b": "y"}'
    assert literal([1, True, {}], holes={}) == "[dyn(1), dyn(true), dyn({})]"
    assert literal({"a": ["x"]}, holes={}) == '{"a": dyn(["x"])}'


@pytest.mark.parametrize("value", [None, 1.5, object()])
def test_what_no_manifest_has_is_an_error(value: Any) -> None:
    with pytest.raises(TypeError, match="has no place in a manifest"):
        literal({"a": value}, holes={})
