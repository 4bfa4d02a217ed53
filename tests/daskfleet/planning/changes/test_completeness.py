"""Unit: the table of change classes knows each input that the program sets, and no other."""

from importlib.metadata import version
from pathlib import Path

import pytest

from daskfleet.catalog.changes import ChangeClass, ChangeRow, Operation, change_pins, change_rows
from daskfleet.planning.changes.property_path import is_within, keys_of
from daskfleet.planning.changes.rules import UnclassifiedError, row_of
from tests.daskfleet.planning.changes.declared_inputs import (
    DeclaredInput,
    declared_inputs,
    recordings,
)

ALL_ROWS = [row for rows in change_rows().values() for row in rows]


@pytest.fixture(scope="module")
def inputs() -> list[DeclaredInput]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        return [
            each for recording in recordings(monkeypatch) for each in declared_inputs(recording)
        ]


def row_for(each: DeclaredInput, operation: Operation | None = None) -> ChangeRow | None:
    known = each.registration
    try:
        return row_of(known.type, each.path, name=known.name, operation=operation)
    except UnclassifiedError:
        return None


def test_every_input_that_a_component_sets_has_a_class(inputs: list[DeclaredInput]) -> None:
    unclassified = {(each.registration.type, each.path) for each in inputs if not row_for(each)}

    assert unclassified == set()


def test_no_input_has_its_class_from_a_row_below_it(inputs: list[DeclaredInput]) -> None:
    too_deep = {
        (each.registration.type, each.path)
        for each in inputs
        if (row := row_for(each)) and not is_within(each.keys, keys_of(row.path))
    }

    assert too_deep == set()


def test_no_row_is_for_what_no_component_sets(inputs: list[DeclaredInput]) -> None:
    used = {(row.type, row.resource, row.path) for each in inputs if (row := row_for(each))}
    types = {each.registration.type for each in inputs}
    dead = {
        (row.type, row.resource, row.path)
        for row in ALL_ROWS
        if row.type not in types or (row.path and (row.type, row.resource, row.path) not in used)
    }

    assert dead == set()


def test_what_pulumi_ignores_changes_nothing(inputs: list[DeclaredInput]) -> None:
    ignored = [
        (each, row)
        for each in inputs
        if any(is_within(each.keys, keys_of(p)) for p in each.registration.ignore_changes)
        and (row := row_for(each, operation="same"))
    ]

    assert ignored
    for each, row in ignored:
        assert (row.operation, row.change_class) == ("same", ChangeClass.NOTHING), each.path


def test_what_replaces_by_an_option_replaces_in_the_table(inputs: list[DeclaredInput]) -> None:
    replacing = [
        (each, row)
        for each in inputs
        if (row := row_for(each))
        and any(is_within(each.keys, keys_of(p)) for p in each.registration.replace_on_changes)
    ]

    assert replacing
    for each, row in replacing:
        assert row.operation == "replace", each.path


def test_every_type_says_what_its_creation_deletion_and_replacement_mean() -> None:
    for type_token in change_rows():
        operations = {row.operation for row in change_rows()[type_token] if not row.path}

        assert operations == {"create", "delete", "replace"}, type_token


def test_an_input_that_replaces_has_the_class_of_its_resources_replacement() -> None:
    for row in ALL_ROWS:
        if row.operation == "replace" and row.path:
            whole = row_of(row.type, name=row.resource.replace("*", "any"), operation="replace")

            assert row.change_class == whole.change_class, row


def test_what_stays_the_same_is_nothing_and_what_is_new_adds() -> None:
    for row in ALL_ROWS:
        assert (row.operation == "same") <= (row.change_class is ChangeClass.NOTHING), row
        assert (row.operation == "create") == (row.change_class is ChangeClass.ADDS), row


def test_every_row_says_its_consequence_in_a_sentence() -> None:
    for row in ALL_ROWS:
        assert row.what.endswith("."), row
        assert row.what[0].isupper(), row


@pytest.mark.parametrize("package", change_pins())
def test_the_table_is_read_anew_when_a_pin_moves(package: str) -> None:
    files = [Path("requirements.in"), Path("requirements-rehearsal.in")]
    pinned = [line for file in files for line in file.read_text("utf-8").splitlines()]

    assert f"{package}=={change_pins()[package].version}" in pinned, (
        f"{package} moved: compare its source with daskfleet/catalog/data/changes.csv, then write "
        "its version into daskfleet/catalog/data/change_pins.csv."
    )
    assert version(package) == change_pins()[package].version
