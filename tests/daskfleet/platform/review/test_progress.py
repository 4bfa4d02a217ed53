"""Unit: how a preview that takes long is told of."""

from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console

from daskfleet.platform.review.progress import SAY_EVERY_S, shown_on

if TYPE_CHECKING:
    from rich.text import Text


def test_a_log_hears_at_once_and_then_now_and_then() -> None:
    log = StringIO()
    show = shown_on(Console(file=log, width=100), update=lambda _: None)

    for seconds in (0.4, 1.0, SAY_EVERY_S + 0.3, SAY_EVERY_S + 0.4, SAY_EVERY_S + 5):
        show(3, seconds)

    assert log.getvalue().splitlines() == [
        "pulumi preview: 3 steps, 0 s",
        "pulumi preview: 3 steps, 15 s",
    ]


def test_a_terminal_has_one_line_that_moves() -> None:
    lines: list[Text] = []
    console = Console(file=StringIO(), force_terminal=True)
    show = shown_on(console, update=lines.append)

    show(1, 0.0)
    show(2, 0.6)

    assert [line.plain for line in lines] == [
        "pulumi preview: 1 steps, 0 s",
        "pulumi preview: 2 steps, 1 s",
    ]
