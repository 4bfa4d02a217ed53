"""Unit: the operator's version against the vendored definitions."""

import yaml

from daskfleet.planning.definitions import VENDORED
from tests.daskfleet.planning.documents import minimal, planned, refused
from tests.project import PROJECT_DIR


def test_the_default_operator_has_its_own_definitions() -> None:
    chart = PROJECT_DIR / "manifests" / "dask-crds" / "Chart.yaml"
    vendored = yaml.safe_load(chart.read_text("utf-8"))["version"]
    assert planned(minimal()).stack.operator.version == VENDORED == vendored


def test_an_operator_without_its_definitions_is_refused_with_the_version_that_has_them() -> None:
    (problem,) = refused(minimal(operator={"version": "2025.1.0"})).problems

    assert problem.key == "operator.version"
    assert problem.allowed == VENDORED
