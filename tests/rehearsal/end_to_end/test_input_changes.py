"""Unit: no row of the table of change classes is left out of the rehearsal without a reason."""

from daskfleet.catalog.changes import ChangeRow, change_rows
from tests.rehearsal.end_to_end.input_changes.reasons import NOT_HERE
from tests.rehearsal.end_to_end.input_changes.rounds import rounds
from tests.rehearsal.end_to_end.input_changes.values import input_changes

CHANGES = input_changes()


def inputs() -> list[ChangeRow]:
    return [row for rows in change_rows().values() for row in rows if row.path]


def test_every_row_has_another_value_or_a_reason_why_there_is_none() -> None:
    changed = [change.row for change in CHANGES]

    assert [row for row in inputs() if row not in changed and row.path not in NOT_HERE] == []


def test_what_is_said_to_have_no_other_value_has_none() -> None:
    assert NOT_HERE.keys().isdisjoint(change.row.path for change in CHANGES)
    assert NOT_HERE.keys() <= {row.path for row in inputs()}


def test_a_round_changes_a_resource_for_one_change_only_and_leaves_no_change_out() -> None:
    planned = rounds(CHANGES)

    assert sorted(map(id, (each for one in planned for each in one))) == sorted(map(id, CHANGES))
    for one in planned:
        of_each = [{(e.type, e.name) for e in (each, *each.along)} for each in one]
        resources = [resource for changed in of_each for resource in changed]
        assert len(resources) == len(set(resources))
