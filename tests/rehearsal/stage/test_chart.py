"""Unit: the operator's chart is what its publisher would have made of the package's."""

import importlib.metadata
from pathlib import Path

import pytest
import yaml

import rehearsal.stage.chart
from rehearsal.errors import RehearsalError
from rehearsal.stage.chart import prepare_chart


def test_the_chart_has_the_packages_version_and_an_image_of_that_version(tmp_path: Path) -> None:
    chart = tmp_path / "charts" / "dask-kubernetes-operator"
    version = prepare_chart(chart)
    assert version == importlib.metadata.version("dask-kubernetes")
    assert yaml.safe_load((chart / "Chart.yaml").read_text())["version"] == version
    assert yaml.safe_load((chart / "values.yaml").read_text())["image"]["tag"] == version


def test_preparing_it_again_leaves_one_whole_chart(tmp_path: Path) -> None:
    chart = tmp_path / "dask-kubernetes-operator"
    prepare_chart(chart)
    (chart / "stale").touch()
    prepare_chart(chart)
    assert not (chart / "stale").exists()
    assert [entry.name for entry in tmp_path.iterdir()] == ["dask-kubernetes-operator"]


def test_a_chart_that_is_right_is_left_alone_for_an_engine_may_read_it(tmp_path: Path) -> None:
    chart = tmp_path / "dask-kubernetes-operator"
    prepare_chart(chart)
    before = chart.stat().st_ino
    prepare_chart(chart)
    assert chart.stat().st_ino == before


def test_of_two_rehearsals_that_begin_at_once_both_find_a_whole_chart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart = tmp_path / "dask-kubernetes-operator"
    exists = Path.exists

    def while_the_other_puts_its_own_there(path: Path) -> bool:
        found = exists(path)
        if path == chart and not found:
            monkeypatch.undo()
            prepare_chart(chart)
        return found

    monkeypatch.setattr(Path, "exists", while_the_other_puts_its_own_there)
    version = prepare_chart(chart)
    assert yaml.safe_load((chart / "Chart.yaml").read_text())["version"] == version
    assert [entry.name for entry in tmp_path.iterdir()] == ["dask-kubernetes-operator"]


def test_a_package_whose_chart_looks_different_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rehearsal.stage.chart, "PLACEHOLDERS", {"Chart.yaml": "no such words"})
    with pytest.raises(RehearsalError, match="pin a version that this rehearsal knows"):
        prepare_chart(tmp_path / "chart")
    assert not (tmp_path / "chart").exists()
