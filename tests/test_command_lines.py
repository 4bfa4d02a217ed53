"""Every command line of every page can be typed: its verbs and options exist; unit tier."""

from pathlib import Path

import pytest

from tests.command_lines import of_page, of_shell, refusal
from tests.project import PROJECT_DIR
from tests.test_docs import DOCUMENTS

LEFT_OUT = {
    "CHANGELOG.md": "It tells of commands that are gone.",
    "commands.md": "The commands have written it, and `make check` compares.",
}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(PROJECT_DIR)))
def test_a_pages_command_lines_are_understood(document: Path) -> None:
    if reason := LEFT_OUT.get(document.name):
        pytest.skip(reason)
    refused = {call: why for call in of_page(document.read_text("utf-8")) if (why := refusal(call))}
    assert refused == {}


def test_enough_of_them_are_found() -> None:
    found = [call for document in DOCUMENTS for call in of_page(document.read_text("utf-8"))]
    assert len(found) > 100


def test_a_line_ends_where_the_shell_takes_over() -> None:
    text = """
$ daskfleet cost --stack prod | tail -1   # the sum
$ eval "$(daskfleet rehearse shell)" && daskfleet review \\
>     --stack prod > review.md
# daskfleet is a comment
"""
    assert [*of_shell(text)] == ["cost --stack prod", "rehearse shell", "review --stack prod"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("costs --stack prod", "No such command 'costs'"),
        ("cost --stak prod", "No such option: --stak"),
        ("rehearse upp", "No such command 'upp'"),
        ("rehearse up --latncy fast", "No such option: --latncy"),
        ("connect fraud again and again", "unexpected extra arguments: again and again"),
    ],
)
def test_what_cannot_be_typed_is_refused(call: str, words: str) -> None:
    assert words in (refusal(call) or "")
