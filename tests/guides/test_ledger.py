"""The list of what is typed, and of what is not, is that of the pages; unit tier."""

import pytest
from markdown_it import MarkdownIt

from tests.guides.ledger import LEDGER, TESTS_OF_PAGES, Typed, entries_of
from tests.guides.typed import GUIDES, commands_of
from tests.project import PROJECT_DIR

SHELLS = {"sh", "bash", "shell", "shell-session"}
FOLLOWED_OTHERWISE = {"docs/emulator.md": "tests/rehearsal/emulator/test_by_itself.py"}
"""A guide whose blocks are no sessions, and the file that follows it."""


@pytest.mark.parametrize("guide", GUIDES)
def test_every_command_of_a_guide_is_typed_by_a_test_or_has_a_reason(guide: str) -> None:
    entries = {command.text: entries_of(guide, command) for command in commands_of(guide)}
    assert {text: found for text, found in entries.items() if len(found) != 1} == {}


@pytest.mark.parametrize("guide", LEDGER)
def test_the_list_names_no_command_that_is_gone(guide: str) -> None:
    named = {entry for command in commands_of(guide) for entry in entries_of(guide, command)}
    assert guide in GUIDES
    assert LEDGER[guide].keys() - named == set()


def test_more_than_a_third_of_what_guides_say_is_typed() -> None:
    hows = [
        LEDGER[guide][entry]
        for guide in GUIDES
        for command in commands_of(guide)
        for entry in entries_of(guide, command)
    ]
    typed = [how for how in hows if isinstance(how, Typed)]
    assert len(typed) * 3 > len(hows) > 80


@pytest.mark.parametrize("guide", GUIDES)
def test_a_page_that_is_typed_from_itself_has_a_test_that_reads_it(guide: str) -> None:
    is_claimed = Typed.FROM_THE_PAGE in LEDGER.get(guide, {}).values()
    assert is_claimed == (guide in TESTS_OF_PAGES)
    if is_claimed:
        test = (PROJECT_DIR / TESTS_OF_PAGES[guide]).read_text("utf-8")
        assert guide.rpartition("/")[2] in test


@pytest.mark.parametrize("guide", sorted({*GUIDES} - FOLLOWED_OTHERWISE.keys()))
def test_no_command_hides_in_a_block_that_is_no_session(guide: str) -> None:
    page = (PROJECT_DIR / guide).read_text("utf-8")
    blocks = [token for token in MarkdownIt().parse(page) if token.type == "fence"]
    assert [block.content for block in blocks if block.info in SHELLS] == []


@pytest.mark.parametrize(("guide", "test"), FOLLOWED_OTHERWISE.items())
def test_a_guide_without_sessions_is_followed_all_the_same(guide: str, test: str) -> None:
    name = guide.rpartition("/")[2]
    assert name in (PROJECT_DIR / test).read_text("utf-8")
    assert not [*commands_of(guide)]
