"""Unit: `daskfleet recover`, as it is typed."""

import pytest
from typer.testing import CliRunner

from daskfleet.cli import app
from daskfleet.platform.recovery import cli


def test_ctrl_c_says_that_what_was_done_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "recover", interrupted)
    done = CliRunner().invoke(app, ["recover", "--stack", "dev"])
    assert done.exit_code == 130
    assert done.stderr.startswith("daskfleet recover: interrupted. What it had released or ")
