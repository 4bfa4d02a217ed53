"""Unit: how wide and how plain the words are where no terminal shows them."""

import pytest

from rehearsal.progress import open_console

LINE = "climate worker climate-default-worker-dfada8258b-8bfb54978-9qzt6 on a100-fixed is Ready" * 3


def test_a_pipe_gets_whole_pod_names_and_no_colours(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    open_console().print(f"[red]{LINE[:120]}[/red]")
    assert capsys.readouterr().out == f"{LINE[:120]}\n"


def test_a_width_that_was_asked_for_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    assert open_console(stderr=True).width == 72
