"""Unit: `daskfleet report`, as it is typed."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

import daskfleet.platform.report.cli
from daskfleet.cli import app
from rehearsal.report.saved import save_report
from rehearsal.workspace import Workspace
from tests.daskfleet.platform.report.documents import SAMPLE_FILE, broken

RUN = CliRunner()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(daskfleet.platform.report.cli, "PROJECT_DIR", tmp_path)
    return tmp_path


def test_the_page_of_the_running_rehearsal_is_written_beside_its_report(project: Path) -> None:
    workspace = Workspace.of_stack(project, "prod")
    workspace.directory.mkdir(parents=True)
    save_report(broken(), workspace.saved_report)
    done = RUN.invoke(app, ["report", "--rehearsal", "prod"])
    assert done.exit_code == 0
    target = project / ".rehearsal" / "prod" / "report.html"
    assert "does not hold" in target.read_text(encoding="utf-8")
    assert f"Written: {target}" in done.stdout
    assert "1 of 12 claims does not hold" in done.stdout


def test_a_saved_report_becomes_a_page_where_it_is_wanted(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    done = RUN.invoke(app, ["report", "--from", str(SAMPLE_FILE), "--html", str(target)])
    assert done.exit_code == 0
    assert target.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.usefixtures("project")
def test_without_a_rehearsal_it_says_what_makes_a_report() -> None:
    done = RUN.invoke(app, ["report", "--rehearsal", "prod"])
    assert done.exit_code == 1
    assert "`daskfleet rehearse up --stack prod`" in done.stderr
    assert "`daskfleet report --stack STACK`" in done.stderr


@pytest.mark.parametrize("content", ["", "{", "{}", '{"stack": 1}', "\x00"])
def test_what_is_no_report_is_refused_with_what_is_wrong(tmp_path: Path, content: str) -> None:
    file = tmp_path / "run.json"
    file.write_text(content)
    done = RUN.invoke(app, ["report", "--from", str(file)])
    assert done.exit_code == 1
    assert f"{file} is no report of this release" in done.stderr
    assert not file.with_suffix(".html").exists()


def test_a_file_or_a_folder_that_is_not_there_is_an_error_not_a_traceback(tmp_path: Path) -> None:
    missing = RUN.invoke(app, ["report", "--from", str(tmp_path / "run.json")])
    nowhere = tmp_path / "no" / "page.html"
    unwritable = RUN.invoke(app, ["report", "--from", str(SAMPLE_FILE), "--html", str(nowhere)])
    assert (missing.exit_code, unwritable.exit_code) == (1, 1)
    assert "run.json" in missing.stderr
    assert str(nowhere) in unwritable.stderr
