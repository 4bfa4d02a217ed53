"""The text of the issue about a stack's drift."""

import json

from pydantic import JsonValue

from daskfleet.platform.drift.model import Difference, Report
from daskfleet.platform.review.markdown.escape import code, fence, in_html_comment, text
from daskfleet.platform.review.markdown.section import FOLDS, Section, row, table, unfolds
from daskfleet.platform.review.markdown.size import COMMENT_LIMIT_BYTES, fit

LONGEST_CELL = 200
COLUMNS = ("resource", "declared", "found", "owner", "what to do")


def marker(project: str, stack: str) -> str:
    """The hidden line by which the issue of a project's stack is found and updated."""
    return f"<!-- daskfleet-drift: {in_html_comment(project)}/{in_html_comment(stack)} -->"


def title(stack: str) -> str:
    """The same as long as the issue is open: mail programs sort by it."""
    return f"Drift of {stack}"


def body(report: Report, project: str, run_url: str) -> str:
    """What differs, who owns it and what takes it back, never too long for GitHub."""
    drifted = [difference for difference in report.differences if difference.is_drift]
    top = "\n\n".join(
        (
            (
                f"{marker(project, report.stack)}\n**{len(drifted)} differ** from what the last "
                f"`pulumi up` of {code(report.stack)} declared."
            ),
            *(f"- {text(notice)}" for notice in report.notices),
        )
    )
    end = f"<sub>Last seen by {run_url}. This issue closes when nothing differs any more.</sub>"
    room = COMMENT_LIMIT_BYTES - len(f"{top}{end}".encode()) - 1_000
    fitted = fit((_differences(drifted), _questions(drifted)), room)
    cut = f"Left out, and in the run: {', '.join(fitted.left_out)}." if fitted.left_out else ""
    return "\n\n".join(part for part in (top, *fitted.blocks, cut, end) if part) + "\n"


def closing_comment(report: Report, run_url: str) -> str:
    """What is said when the issue closes."""
    return f"Nothing of {code(report.stack)} differs any more: {run_url}."


def _differences(differences: list[Difference]) -> Section:
    return Section(
        noun="differences",
        opening=table(COLUMNS, "<<<<<"),
        items=tuple(_row(difference) for difference in differences),
    )


def _row(difference: Difference) -> str:
    field = f"<br>{code(difference.field)}" if difference.field else ""
    return row(
        (
            f"**{difference.severity}**<br>{text(difference.resource)}{field}",
            _value(difference.declared),
            _value(difference.found),
            f"{text(difference.owner)} ({text(difference.evidence)})",
            text(difference.remedy),
        )
    )


def _value(value: JsonValue) -> str:
    if value is None:
        return "-"
    return code(value if isinstance(value, str) else json.dumps(value), LONGEST_CELL)


def _questions(differences: list[Difference]) -> Section:
    asked = dict.fromkeys(difference.ask for difference in differences if difference.ask)
    return Section(
        noun="commands",
        opening=unfolds("Who did it, according to Google's audit log"),
        items=tuple(fence(command, "console") for command in asked),
        closing=FOLDS,
        between="\n\n",
    )
