"""Unit: the page of commands has each of them, as it is."""

from pathlib import Path

import pytest

from daskfleet.verbs import VERBS
from release import commands


def test_each_command_stands_once_below_its_readers() -> None:
    page = commands.page()
    for name, verb in VERBS.items():
        before, found, after = page.partition(f"\n### `daskfleet {name}`\n\n{verb.help}")
        assert found, name
        assert before.rpartition("\n## ")[2].startswith(verb.users), name
        assert "**Usage**:" in after
    assert "&#x27;" not in page
    assert "--help`: Show" not in page


def test_a_stale_page_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(commands, "PAGE", tmp_path / "commands.md")
    monkeypatch.setattr(commands, "page", lambda: "now\n")
    assert commands.main(["--check"]) == 1
    assert "run python -m release.commands" in capsys.readouterr().err
    assert (commands.main([]), commands.main(["--check"])) == (0, 0)
    assert commands.main(["--other"]) == 2
