"""Unit: what commands print for people."""

import io

import pytest
import typer
from rich.console import Console

from daskfleet.consoles import only_looking


def test_words_of_a_server_move_no_cursor() -> None:
    shown = io.StringIO()

    with pytest.raises(typer.Exit), only_looking(Console(file=shown), ValueError):
        raise ValueError("no \x1b[2J\u202eteam\nalpha")

    assert shown.getvalue() == "  no \\x1b[2J\\u202eteam\nalpha\n"
