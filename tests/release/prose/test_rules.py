"""Unit: which sentences break a rule, and what is said of it."""

import subprocess
from pathlib import Path

import pytest

from release.project import ROOT
from release.prose.__main__ import main, pages
from release.prose.rules import Rules, mistakes, read_rules

RULES = Rules(longest_sentence_words=5, instead={"utilise": "use", "Github": "GitHub"})


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ("Five words are not many.\n", []),
        (
            "A\n\nSix words are one too many.\n",
            [(3, '6 words, at most 5: "Six words are one too many. ..."')],
        ),
        ("Utilise it.\n", [(1, '"Utilise": write use.')]),
        ("On Github, not GitHub.\n", [(1, '"Github": write GitHub.')]),
        ("`utilise`, utilised, re-utilise.\n", []),
    ],
)
def test_a_mistake_has_its_line_and_what_to_do(page: str, told: list[tuple[int, str]]) -> None:
    found = [(each.line, each.text) for each in mistakes(page, RULES)]
    assert [line for line, _ in found] == [line for line, _ in told]
    for (_, text), (_, beginning) in zip(found, told, strict=True):
        assert text.startswith(beginning)


def test_every_word_to_avoid_is_found_by_its_rule_and_no_remedy_is_a_mistake() -> None:
    rules = read_rules()
    for word, better in rules.instead.items():
        assert list(mistakes(f"So {word} it is", rules)), word
        assert not list(mistakes(better, rules)), better


def test_a_page_that_breaks_a_rule_fails_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("# A project\n")
    (tmp_path / "docs/page.md").write_text("# A page\n\nIt is on Github.\n")
    assert main(tmp_path) == 1
    assert capsys.readouterr().err == 'docs/page.md:3: "Github": write GitHub.\n'
    (tmp_path / "docs/page.md").write_text("# A page\n\nIt is on GitHub.\n")
    assert main(tmp_path) == 0


def test_every_page_of_ours_but_the_changelog_and_records_of_tests_is_read() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "*.md"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    tracked = {ROOT / path for path in listed.stdout.split() if not path.startswith("tests/")}
    unread = {"CHANGELOG.md", "manifests/SOURCES.md", "rehearsal/emulator/fidelity.md"}
    assert set(pages(ROOT)) == tracked - {ROOT / path for path in unread}
