"""Unit: the chart of the definitions has one path on every machine, and is the release's."""

import filecmp
import shutil
from pathlib import Path

import pytest

from components.definitions_chart import BESIDE_THE_PROJECT, IN_A_CHECKOUT, definitions_chart
from tests.project import PROJECT_DIR

PACKAGED = PROJECT_DIR / IN_A_CHECKOUT


def is_the_releases(chart: Path) -> bool:
    compared = filecmp.dircmp(PACKAGED, chart)
    files = [str(file.relative_to(PACKAGED)) for file in PACKAGED.rglob("*") if file.is_file()]
    _, differing, missing = filecmp.cmpfiles(PACKAGED, chart, files, shallow=False)
    beside = [*compared.right_only, *compared.subdirs["templates"].right_only]
    return not (differing or missing or beside)


def test_a_checkout_names_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT_DIR)
    assert definitions_chart() == "./manifests/dask-crds"


def test_another_project_gets_a_copy_beside_its_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert definitions_chart() == BESIDE_THE_PROJECT
    assert is_the_releases(tmp_path / BESIDE_THE_PROJECT)


def test_a_copy_of_another_release_is_replaced_and_one_of_this_release_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    chart = tmp_path / definitions_chart()
    kept = (chart / "Chart.yaml").stat().st_ino
    definitions_chart()
    assert (chart / "Chart.yaml").stat().st_ino == kept

    (chart / "templates" / "gone.yaml").write_text("kind: Gone\n", "utf-8")
    definitions_chart()
    assert is_the_releases(chart)


def test_an_update_that_is_cut_off_leaves_the_former_copy_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.chdir(tmp_path)
    chart = tmp_path / definitions_chart()
    (chart / "Chart.yaml").write_text("version: 0.0.1\n", "utf-8")
    monkeypatch.setattr(shutil, "copytree", full)
    with pytest.raises(OSError, match="No space left"):
        definitions_chart()
    assert len(list((chart / "templates").iterdir())) > 1
    assert [each.name for each in chart.parent.iterdir()] == [chart.name]
