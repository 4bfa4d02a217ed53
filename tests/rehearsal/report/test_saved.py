"""Unit: the report that `up` and `status` leave behind."""

import subprocess
from pathlib import Path

import pytest

from rehearsal.report.commit import described_commit
from rehearsal.report.model import Report
from rehearsal.report.saved import save_report
from tests.rehearsal.report.test_render import report


def test_a_saved_report_is_read_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    save_report(report(is_ready=False), file)
    save_report(report(), file)
    assert Report.model_validate_json(file.read_bytes()) == report()
    assert list(tmp_path.iterdir()) == [file]


def test_a_directory_without_git_has_no_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert described_commit(tmp_path) == ""
    monkeypatch.setenv("PATH", "")
    assert described_commit(tmp_path) == ""


def test_a_checkout_says_its_commit_and_whether_it_was_changed(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
        command = ["git", "-C", str(tmp_path), *identity, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "--quiet")
    (tmp_path / "file").write_text("1")
    git("add", "file")
    git("commit", "--quiet", "--message", "first")
    assert described_commit(tmp_path) == git("rev-parse", "--short", "HEAD")
    (tmp_path / "file").write_text("2")
    assert described_commit(tmp_path).endswith("-dirty")
