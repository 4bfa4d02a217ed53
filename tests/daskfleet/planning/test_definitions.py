"""Unit: the operator's version against the vendored definitions."""

from daskfleet.planning.definitions import vendored_version
from tests.daskfleet.planning.documents import minimal, planned, refused


def test_the_default_operator_has_its_own_definitions() -> None:
    assert planned(minimal()).stack.operator.version == vendored_version()


def test_an_operator_without_its_definitions_is_refused_with_the_version_that_has_them() -> None:
    (problem,) = refused(minimal(operator={"version": "2025.1.0"})).problems

    assert problem.key == "operator.version"
    assert problem.allowed == vendored_version()
