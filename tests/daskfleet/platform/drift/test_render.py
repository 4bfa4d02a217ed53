"""Unit: the report as people read it."""

from io import StringIO

import pytest
from pydantic import JsonValue
from rich.console import Console

from daskfleet.platform.drift.model import Difference, Owner, Report, Severity
from daskfleet.platform.drift.render import LONGEST_VALUE, render_report

CHANGED = Difference(
    severity=Severity.CHANGED,
    resource="NetworkPolicy climate/egress",
    field="spec.egress",
    declared="UDP",
    found={"protocol": "TCP"},
    owner=Owner.HAND,
    evidence="field manager kubectl-edit",
    remedy="Run `pulumi up`, which puts it back, or declare what was edited and run it then.",
)


def shown(*differences: Difference, notices: tuple[str, ...] = ()) -> str:
    """Render a report for a terminal of 110 columns."""
    report = Report(
        stack="prod",
        differences=differences,
        notices=notices,
        google_resources=12,
        kubernetes_objects=26,
    )
    console = Console(file=StringIO(), width=110)
    render_report(report, console)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


AS_A_TABLE = """\
┏━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
┃ resource, field   ┃ declared    ┃ found      ┃ owner (evidence)       ┃ what to do                         ┃
┡━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
│ changed           │ UDP         │ {"protocol │ a hand edit (field     │ Run `pulumi up`, which puts it     │
│ NetworkPolicy     │             │ ": "TCP"}  │ manager kubectl-edit)  │ back, or declare what was edited   │
│ climate/egress    │             │            │                        │ and run it then.                   │
│ spec.egress       │             │            │                        │                                    │
├───────────────────┼─────────────┼────────────┼────────────────────────┼────────────────────────────────────┤
│ gone              │ -           │ -          │ somebody who deleted   │ Run `pulumi up`.                   │
│ NodePool a100     │             │            │ it (Google knows none) │                                    │
└───────────────────┴─────────────┴────────────┴────────────────────────┴────────────────────────────────────┘
"""  # noqa: E501 - as a terminal shows it


def test_each_difference_is_a_row_in_which_most_room_is_for_what_to_do() -> None:
    gone = Difference(
        severity=Severity.GONE,
        resource="NodePool a100",
        owner=Owner.SOMEBODY,
        evidence="Google knows none",
        remedy="Run `pulumi up`.",
    )

    assert shown(CHANGED, gone).startswith(AS_A_TABLE)


@pytest.mark.parametrize(
    ("value", "is_cut"), [("x" * LONGEST_VALUE, False), ("x" * (LONGEST_VALUE + 1), True)]
)
def test_a_long_value_is_cut_and_shows_that_it_was(value: JsonValue, *, is_cut: bool) -> None:
    table = shown(CHANGED.model_copy(update={"found": value}))

    assert ("…" in table) is is_cut


def test_a_question_is_printed_once_and_only_where_there_is_one() -> None:
    asked = CHANGED.model_copy(update={"ask": "gcloud logging read x"})

    assert shown(asked, asked, CHANGED).count("gcloud logging read x") == 1
    assert "audit log" not in shown(CHANGED)


def test_a_notice_is_printed_without_differences_too() -> None:
    assert "  Pods were not listed.\n" in shown(notices=("Pods were not listed.",))
