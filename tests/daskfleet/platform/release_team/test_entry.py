"""Unit: the lines of a team's entry."""

import pytest
import yaml

from daskfleet.platform.release_team.entry import entry_of
from tests.project import PROJECT_DIR

BLOCK = """config:
  daskfleet:teams:
    # about climate
    - name: climate
      workers: 2
    # about genomics
    -
      workers: 1 # one
      # inside
      name: genomics
      labels:
        a: b

  # after
  daskfleet:labels: {c: d}
"""


@pytest.mark.parametrize(("team", "first", "last"), [("climate", 4, 5), ("genomics", 7, 12)])
def test_the_lines_are_the_entrys_and_no_others(team: str, first: int, last: int) -> None:
    found = entry_of(BLOCK, team)
    assert found is not None
    assert (found.first_line, found.last_line) == (first, last)
    assert found.lines == tuple(BLOCK.splitlines()[first - 1 : last])


@pytest.mark.parametrize("end", ["", "\n", "\n\n# the end"])
def test_the_last_entry_may_end_the_file(end: str) -> None:
    found = entry_of(f"config:\n  teams:\n  - name: a\n  - name: b\n    workers: 1{end}", "b")
    assert found is not None
    assert found.lines == ("  - name: b", "    workers: 1")


def test_an_entry_in_braces_on_its_own_line_is_that_line() -> None:
    found = entry_of("config:\n  teams:\n  - {name: a}\n  - {name: b}\n", "a")
    assert found is not None
    assert found.lines == ("  - {name: a}",)


@pytest.mark.parametrize(
    "text",
    [
        "config:\n  teams: [{name: a}, {name: b}]\n",
        "x: &a {name: a}\nconfig:\n  teams:\n  - *a\n  - name: b\n",
    ],
)
def test_lines_that_are_shared_are_not_cut_out(text: str) -> None:
    found = entry_of(text, "a")
    assert found is not None
    assert found.lines == ()


def test_a_file_without_the_team_has_no_entry() -> None:
    assert entry_of(BLOCK, "fraud") is None
    assert entry_of("", "fraud") is None


@pytest.mark.parametrize("team", ["climate", "genomics"])
def test_the_rest_of_a_real_file_says_the_same_of_all_others(team: str) -> None:
    text = (PROJECT_DIR / "stacks/Pulumi.rehearsal.yaml").read_text("utf-8")
    found = entry_of(text, team)
    assert found is not None
    lines = text.splitlines()
    del lines[found.first_line - 1 : found.last_line]
    wanted = yaml.safe_load(text)
    teams = wanted["config"]["daskfleet:teams"]
    wanted["config"]["daskfleet:teams"] = [each for each in teams if each["name"] != team]
    assert yaml.safe_load("\n".join(lines)) == wanted
