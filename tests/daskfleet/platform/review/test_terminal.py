"""Unit: the review in a terminal, at any width."""

from dataclasses import replace

import pytest
from rich.console import Console

from daskfleet.platform.review.terminal import render_terminal
from tests.daskfleet.platform.review import sample_reviews
from tests.daskfleet.platform.review.sample_reviews import SAMPLES


def printed(name: str, width: int) -> str:
    console = Console(width=width, force_terminal=False, color_system=None)
    with console.capture() as capture:
        render_terminal(SAMPLES[name](), console)
    return capture.get()


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("name", SAMPLES)
def test_no_line_is_wider_than_the_terminal(name: str, width: int) -> None:
    assert max(len(line.rstrip()) for line in printed(name, width).splitlines()) <= width


def test_verdict_figures_and_gate_come_first() -> None:
    first, second, third = printed("destroys", 200).splitlines()[:3]

    assert first.startswith("Destroys: prod  Pool a100 is replaced")
    assert "2 replaced, 1 updated, 85 unchanged, +8,820 USD a month" in second
    assert third.strip().startswith(
        "gate stops: A policy refuses it: monthly-budget (label daskfleet-allow:replaces-pool)"
    )


def test_a_long_list_ends_with_what_is_left_out() -> None:
    assert "and 4,901 more: --format json has all." in printed("huge", 100)


def test_escape_sequences_and_markup_of_values_do_nothing() -> None:
    review = replace(
        sample_reviews.safe(), because="\x1b[2J[bold]x[/bold]\u202e", warnings=("[red]w[/red]",)
    )
    console = Console(width=120, force_terminal=True, color_system=None)
    with console.capture() as capture:
        render_terminal(review, console)

    assert r"\x1b[2J[bold]x[/bold]\u202e" in capture.get()
    assert "[red]w[/red]" in capture.get()
