"""Unit tests: the JSON schema says what the settings say."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from daskfleet.settings import schema


def test_the_committed_schema_is_current() -> None:
    assert json.loads(schema.FILE.read_text("utf-8")) == schema.stack_file_schema()


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(schema.stack_file_schema())


def _properties(node: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(node, dict):
        for name, value in node.get("properties", {}).items():
            yield f"{path}.{name}", value
        for name, value in node.items():
            yield from _properties(value, f"{path}.{name}" if name != "$defs" else "")
    elif isinstance(node, list):
        for value in node:
            yield from _properties(value, path)


def test_every_key_says_what_it_means() -> None:
    whole = schema.stack_file_schema()
    silent = [
        path
        for path, value in _properties(whole, "")
        # What refers to a definition and says nothing more is described there.
        if not value.get("description")
        and not whole["$defs"].get(value.get("$ref", "").rpartition("/")[2], {}).get("description")
    ]
    assert silent == []


VALID: dict[str, Any] = {
    "config": {"daskfleet:project": "example-project", "daskfleet:teams": [{"name": "alpha"}]}
}


def _is_valid(**changes: Any) -> bool:
    document = {**VALID, "config": {**VALID["config"], **changes.pop("config", {})}, **changes}
    return Draft202012Validator(schema.stack_file_schema()).is_valid(document)


def test_the_schema_allows_what_pulumi_and_providers_write() -> None:
    assert _is_valid(encryptionsalt="v1:abc=", secretsprovider="passphrase")
    assert _is_valid(config={"gcp:project": "x", "pulumi:tags": {"a": "b"}})


def test_the_schema_refuses_misspelt_keys_at_every_level() -> None:
    assert _is_valid()
    assert not _is_valid(confg={})
    assert not _is_valid(config={"daskfleet:projct": "x"})
    assert not _is_valid(config={"project": "x"})
    assert not _is_valid(config={"daskfleet:teams": [{"name": "alpha", "wrokers": 1}]})


def test_a_stale_schema_fails_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(schema, "FILE", tmp_path / "schema.json")
    assert schema.main(["--check"]) == 1
    assert "run python -m daskfleet.settings.schema" in capsys.readouterr().err
    assert schema.main([]) == 0
    assert schema.main(["--check"]) == 0
    assert schema.main(["--chekc"]) == 2
