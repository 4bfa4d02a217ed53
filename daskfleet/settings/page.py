"""Pure: the page with every setting of a stack file, from their JSON schema."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from daskfleet.stack_text.project_file import NAMESPACE

Schema = Mapping[str, Any]

HEAD = """# Every setting of a stack file

A stack file is `stacks/Pulumi.<stack>.yaml`. Its keys stand below `config:` and begin with
`{namespace}:`. What is not required may be left out. Editors that read the file's first line,
`# yaml-language-server: $schema=schema.json`, complete keys and show the same texts.

[What a change of a setting does](setting-changes.md) has the worst that may happen to teams, nodes
and data. What it does to the fleet that runs, [the review](review.md) of a pull request says.

`python -m daskfleet.settings.schema` writes this page from the settings themselves.
"""
REFERENCE = "#/$defs/"
BOUNDS = (
    ("minimum", "from {}"),
    ("exclusiveMinimum", "above {}"),
    ("maximum", "up to {}"),
    ("exclusiveMaximum", "below {}"),
)
FORMATS = {"date-time": "time", "date": "date"}
LONGEST_DEFAULT = 40
"""Characters; a longer one is the sum of the defaults that the section below has."""


def settings_page(schema: Schema) -> str:
    """Draw a table of the keys of a stack file, and one of each kind of object in them."""
    config, definitions = schema["properties"]["config"], schema["$defs"]
    sections = [_table(config)]
    for name in _in_order(config, definitions):
        definition = definitions[name]
        about = _prose(definition.get("description", ""))
        sections.append("\n\n".join(filter(None, (f"## {name}", about, _table(definition)))))
    return "\n\n".join((HEAD.format(namespace=NAMESPACE).rstrip(), *sections)) + "\n"


def _in_order(config: Schema, definitions: Schema) -> list[str]:
    """Name the definitions as a reader comes to them."""
    found: list[str] = []

    def visit(schema: Schema) -> None:
        for name in _references(schema["properties"]):
            if name not in found:
                found.append(name)
                visit(definitions[name])

    visit(config)
    return found


def _references(schema: object) -> Iterator[str]:
    if isinstance(schema, Mapping):
        if isinstance(reference := schema.get("$ref"), str):
            yield reference.removeprefix(REFERENCE)
        for key, each in schema.items():
            if key != "default":
                yield from _references(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from _references(each)


def _table(schema: Schema) -> str:
    required = schema.get("required", ())
    rows = [
        f"| `{key}` | {_kind(each)} | {_default(each, is_required=key in required)} "
        f"| {_prose(each.get('description', ''))} |"
        for key, each in schema["properties"].items()
    ]
    return "\n".join(("| key | value | left out | what it is |", "|---|---|---|---|", *rows))


def _kind(schema: Schema) -> str:
    """Say in words what a value may be."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(REFERENCE)
        return f"[{name}](#{name.lower()})"
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(_kind(each) for each in choices if each.get("type") != "null")
    if values := schema.get("enum") or [schema[key] for key in ("const",) if key in schema]:
        return " or ".join(_code(each) for each in values)
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}"
    if schema.get("type") == "object":
        return f"by name: {_kind(_values(schema))}"
    return _scalar(schema)


def _values(schema: Schema) -> Schema:
    """Give the one schema of all values of an object with keys of the user's."""
    patterns: Schema = schema.get("patternProperties") or {"": schema["additionalProperties"]}
    (values,) = patterns.values()
    return dict(values)


def _scalar(schema: Schema) -> str:
    kinds = {"integer": "whole number", "boolean": "`true` or `false`", "string": "text"}
    kind = FORMATS.get(schema.get("format", ""), kinds.get(schema["type"], str(schema["type"])))
    bounds = [words.format(f"{schema[key]:g}") for key, words in BOUNDS if key in schema]
    return " ".join((kind, *bounds))


def _default(schema: Schema, *, is_required: bool) -> str:
    if is_required:
        return "**required**"
    default = schema.get("default")
    if default in (None, [], {}):
        return ""
    text = _code(default)
    return text if len(text) <= LONGEST_DEFAULT else "what its keys say"


def _code(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return f"`{text}`"


def _prose(text: str) -> str:
    """Put a docstring into a cell of Markdown."""
    return " ".join(text.replace("``", "`").replace("|", r"\|").split())
