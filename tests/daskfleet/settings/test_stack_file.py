"""Unit tests: stack files read without the engine."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from daskfleet.planning.fleet import plan_draft
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.stack_file import read_stack_file

GOOD = """
encryptionsalt: v1:abc=
config:
  daskfleet:project: example-project
  gcp:region: us-central1
  daskfleet:teams:
    - {name: alpha, workers: 1}
"""


def test_a_stack_file_is_read_without_the_engine(tmp_path: Path) -> None:
    file = tmp_path / "Pulumi.test.yaml"
    file.write_text(GOOD)
    draft = read_stack_file(file)
    assert draft.problems == ()
    assert draft.stack is not None
    assert draft.stack.project == "example-project"


def test_a_key_without_a_namespace_is_the_project_s_as_pulumi_has_it(tmp_path: Path) -> None:
    file = tmp_path / "Pulumi.test.yaml"
    file.write_text(GOOD.replace("daskfleet:project", "project"))
    draft = read_stack_file(file)
    assert draft.problems == ()
    assert draft.stack is not None


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-03T02:00:00Z",
        '"2026-01-03T02:00:00Z"',
        "2026-01-03T04:00:00+02:00",
        "2026-01-03 02:00:00",
        "2026-01-03 02:00:00 +0000 UTC",
    ],
)
def test_a_time_is_the_same_with_and_without_quotes_and_as_pulumi_hands_it_over(
    text: str, tmp_path: Path
) -> None:
    file = tmp_path / "Pulumi.test.yaml"
    window = f"{{start_time: {text}, end_time: 2026-01-04}}"
    file.write_text(f"{GOOD}  daskfleet:cluster: {{maintenance_window: {window}}}\n")
    draft = read_stack_file(file)
    assert draft.stack is not None
    assert draft.stack.cluster.maintenance_window is not None
    assert draft.stack.cluster.maintenance_window.start_time == datetime(2026, 1, 3, 2, tzinfo=UTC)


def test_a_quoted_time_without_a_zone_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "Pulumi.test.yaml"
    window = '{start_time: "2026-01-03T02:00:00", end_time: 2026-01-04}'
    file.write_text(f"{GOOD}  daskfleet:cluster: {{maintenance_window: {window}}}\n")
    draft = read_stack_file(file)
    assert [problem.key for problem in draft.problems] == ["cluster.maintenance_window.start_time"]


BROKEN = {
    "not YAML": ("config: [", "is not YAML"),
    "a key twice": (
        GOOD.replace("workers: 1", "name: beta"),
        "The key name occurs twice, first in line 7",
    ),
    "a list": ("- config", "no mapping below config"),
    "empty": ("", "no mapping below config"),
    "no config": ("encryptionsalt: v1:abc=", "no mapping below config"),
    "config without keys": ("config:", "no mapping below config"),
    "not text": ("\x00", "is not YAML"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_file_that_holds_no_settings_is_one_clear_problem(kind: str, tmp_path: Path) -> None:
    text, reason = BROKEN[kind]
    file = tmp_path / "Pulumi.test.yaml"
    file.write_text(text)
    draft = read_stack_file(file)
    assert draft.stack is None
    error = str(StackRefusedError(draft.file, draft.problems))
    assert len(draft.problems) == 1
    assert reason in error
    assert str(file) in error
    assert "Next step: " in error


@pytest.mark.parametrize("content", [None, b"\xff\xfe\xfa"], ids=["missing", "not UTF-8"])
def test_a_file_that_cannot_be_read_says_why(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "Pulumi.test.yaml"
    if content is not None:
        file.write_bytes(content)
    draft = read_stack_file(file)
    assert draft.stack is None
    assert draft.problems[0].reason.startswith("The file cannot be read: ")


def refusal_of(text: str, tmp_path: Path) -> str:
    """What is said of a stack file that is refused."""
    file = tmp_path / "Pulumi.test.yaml"
    file.write_text(text)
    with pytest.raises(StackRefusedError) as caught:
        plan_draft(read_stack_file(file))
    return str(caught.value).replace(str(file), "FILE")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("workers: 1", "worker: 1", "FILE, line 7, daskfleet:teams[0].worker: 1\n"),
        ("workers: 1", "workers: 9", "FILE, line 7, daskfleet:teams[0].workers: 9\n"),
        ("workers: 1", "'': 9", 'FILE, line 7, daskfleet:teams[0]."": 9\n'),
        ("workers: 1", "workers: !!int x", "FILE, line 7, daskfleet:teams[0].workers: x\n"),
        ("gcp:region: us-central1", "gcp:x: !!int y", "FILE, line 5: y\n   config.gcp:x: The tag"),
        ("encryptionsalt", "5: 1\nencryptionsalt", "FILE, line 2: 5\n   A key here is not text"),
        ("config:", "config: [!!int x]\nother:", "FILE, line 3: x\n   config[0]: The tag !!int"),
    ],
)
def test_a_problem_says_in_which_line_it_is(old: str, new: str, said: str, tmp_path: Path) -> None:
    assert said in refusal_of(GOOD.replace(old, new), tmp_path)


def test_of_many_problems_the_first_are_told_and_how_many_there_are(tmp_path: Path) -> None:
    teams = "".join(f"    - {{name: t{at}, oops: 1}}\n" for at in range(200))
    said = refusal_of(GOOD + teams, tmp_path)
    first = "FILE: 401 problems. Nothing was created or changed. The first 50 are below."
    assert said.startswith(first)
    assert said.count("Next step: ") == 50


def test_what_an_error_repeats_hides_nothing_and_is_short(tmp_path: Path) -> None:
    machine = "machine_type: " + "x" * 5000 + "\u200b"
    said = refusal_of(f"{GOOD}  daskfleet:system_pool: {{{machine}, oops: 1}}\n", tmp_path)
    assert max(map(len, said.split("\n"))) < 3000
    assert all(line.isprintable() for line in said.split("\n"))


def test_a_time_that_google_could_not_be_told_is_refused(tmp_path: Path) -> None:
    window = '{start_time: "9999-12-31T23:00:00-10:00", end_time: 2026-01-04}'
    said = refusal_of(f"{GOOD}  daskfleet:cluster: {{maintenance_window: {window}}}\n", tmp_path)
    assert "FILE, line 8, daskfleet:cluster.maintenance_window.start_time: 9999-12-31" in said


def test_a_key_with_and_without_the_namespace_is_refused(tmp_path: Path) -> None:
    """Seen on 2026-11-24: of such a pair `pulumi config` took one four times, the other once."""
    file = tmp_path / "Pulumi.test.yaml"
    file.write_text(f"{GOOD}  project: another-project\n")
    (problem,) = read_stack_file(file).problems
    assert problem.key == "project"
    assert "project and daskfleet:project" in problem.reason
