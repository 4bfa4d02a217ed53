"""Unit: which differences of versions are told, and which stop."""

import pytest

from daskfleet.versions import differences, told_packages

SAME = {
    "python": "3.13.1.final.0",
    "dask": "2026.8.0",
    "distributed": "2026.8.0",
    "cloudpickle": "3.1.2",
    "msgpack": "1.1.0",
    "numpy": "2.4.6",
    "pandas": "3.1.1",
    "lz4": None,
    "toolz": "1.0.0",
}


def test_the_same_is_no_difference() -> None:
    assert differences(SAME, SAME) == ()


@pytest.mark.parametrize(
    ("package", "here", "breaks", "words"),
    [
        ("python", "3.11.7.final.0", True, "python 3.11.7 here, 3.13.1 there"),
        ("python", "3.13.9.final.0", False, "python 3.13.9 here, 3.13.1 there"),
        ("dask", "2026.7.1", True, "dask 2026.7.1 here, 2026.8.0 there"),
        ("distributed", "2026.8.1", True, "distributed 2026.8.1 here, 2026.8.0 there"),
        ("cloudpickle", "2.2.0", True, "cloudpickle 2.2.0 here, 3.1.2 there"),
        ("cloudpickle", "3.1.1", False, "cloudpickle 3.1.1 here, 3.1.2 there"),
        ("pandas", "2.3.3", True, "pandas 2.3.3 here, 3.1.1 there"),
        ("numpy", "2.4.5", False, "numpy 2.4.5 here, 2.4.6 there"),
        ("toolz", "0.12.0", False, "toolz 0.12.0 here, 1.0.0 there"),
        ("lz4", "4.4.4", False, "lz4 4.4.4 here, none there"),
    ],
)
def test_what_graphs_need_stops_and_the_rest_is_told(
    package: str,
    here: str,
    breaks: bool,  # noqa: FBT001 - a case of the table
    words: str,
) -> None:
    (found,) = differences({**SAME, package: here}, SAME)
    assert (found.package, found.breaks, str(found)) == (package, breaks, words)


def test_what_is_not_here_is_not_sent() -> None:
    assert differences({**SAME, "pandas": None}, SAME) == ()


def test_what_stops_comes_first() -> None:
    found = differences({**SAME, "numpy": "2.4.5", "python": "3.12.1.final.0"}, SAME)
    assert [each.package for each in found] == ["python", "numpy"]


def test_a_version_that_steers_terminals_is_shown_as_escapes_and_in_short() -> None:
    told = f"1.0\x1b[2J{'x' * 1000}"
    (found,) = differences(SAME, {**SAME, "toolz": told})

    assert str(found).isprintable()
    assert len(str(found)) < 200


@pytest.mark.parametrize("answer", [None, [], "x", {}, {"packages": None}, {"packages": [1]}])
def test_another_answer_tells_of_no_package(answer: object) -> None:
    assert told_packages(answer) == {}
