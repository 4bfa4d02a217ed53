"""Unit: the page of settings has every key, in words."""

import re

from daskfleet.settings.page import settings_page
from daskfleet.settings.schema import PAGE, stack_file_schema

ROW = re.compile(r"^\| `([\w:]+)` \| (.*?) \| (.*?) \| (.*) \|$", re.MULTILINE)


def rows(page: str, section: str) -> dict[str, tuple[str, str, str]]:
    _, _, rest = page.partition(f"\n## {section}\n")
    return {
        key: (kind, left_out, what)
        for key, kind, left_out, what in ROW.findall(rest.partition("\n## ")[0])
    }


def test_each_key_of_each_object_has_one_row_in_its_section() -> None:
    schema = stack_file_schema()
    page = settings_page(schema)
    for name, definition in schema["$defs"].items():
        assert list(rows(page, name)) == list(definition["properties"]), name
    head = page.partition("\n## ")[0]
    assert [key for key, *_ in ROW.findall(head)] == [*schema["properties"]["config"]["properties"]]


def test_values_defaults_and_requirements_are_told_in_words() -> None:
    network = {
        "type": "object",
        "description": "Where ``pods`` live.",
        "required": ["name"],
        "properties": {
            "name": {"type": "string", "description": "Its name:\na|b."},
            "size": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3},
            "share": {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "null"}]},
            "kind": {"enum": ["dns", "ip"], "default": "dns"},
            "only": {"const": 1},
            "on": {"type": "boolean", "default": False},
            "at": {"type": "string", "format": "date-time"},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "parts": {
                "type": "array",
                "items": {"$ref": "#/$defs/Part"},
                "default": [{"n": "x" * 50}],
            },
        },
    }
    part = {"type": "object", "properties": {"n": {"type": "string", "default": "y"}}}
    config = {"properties": {"daskfleet:network": {"$ref": "#/$defs/Network"}}}
    page = settings_page(
        {"properties": {"config": config}, "$defs": {"Part": part, "Network": network}}
    )

    assert "## Network\n\nWhere `pods` live.\n" in page
    assert page.index("## Network") < page.index("## Part")
    assert rows(page, "Network") == {
        "name": ("text", "**required**", r"Its name: a\|b."),
        "size": ("whole number from 1 up to 9", "`3`", ""),
        "share": ("number above 0", "", ""),
        "kind": ("`dns` or `ip`", "`dns`", ""),
        "only": ("`1`", "", ""),
        "on": ("`true` or `false`", "`false`", ""),
        "at": ("time", "", ""),
        "labels": ("by name: text", "", ""),
        "parts": ("list of [Part](#part)", "what its keys say", ""),
    }


def test_no_setting_is_without_words() -> None:
    """A key that names a section needs none of its own: the section has them."""
    page = PAGE.read_text("utf-8")
    silent = [key for key, kind, _, what in ROW.findall(page) if not what and "](#" not in kind]
    assert silent == []
