"""Unit tests: stack files read without the engine."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

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
        "The key name stands twice; the first time in line 7",
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
