"""Unit: which lines of a wait are reported."""

import pytest

from components.gates.paced_report import PacedReport


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def paced(lines: list[str]) -> PacedReport:
    return PacedReport(lines.append)


def test_what_is_waited_for_is_reported_once(paced: PacedReport, lines: list[str]) -> None:
    for elapsed_s in (0, 2, 4):
        paced.tell(f"{elapsed_s} s: a node", subject="a node", elapsed_s=elapsed_s)
    assert lines == ["0 s: a node"]
    assert paced.last_subject == "a node"


def test_a_change_is_reported_at_once(paced: PacedReport, lines: list[str]) -> None:
    for elapsed_s, subject in ((0, "a node"), (2, "an image"), (4, "a node")):
        paced.tell(f"{elapsed_s} s: {subject}", subject=subject, elapsed_s=elapsed_s)
    assert lines == ["0 s: a node", "2 s: an image", "4 s: a node"]


def test_what_stays_the_same_is_reported_every_minute(paced: PacedReport, lines: list[str]) -> None:
    for elapsed_s in (10, 69, 70, 129, 130):
        paced.tell(f"{elapsed_s} s", subject="a node", elapsed_s=elapsed_s)
    assert lines == ["10 s", "70 s", "130 s"]
