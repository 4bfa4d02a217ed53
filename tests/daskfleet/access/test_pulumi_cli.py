"""Unit: running `pulumi`, with a script in its place."""

from pathlib import Path

import pytest

from daskfleet.access.pulumi_cli import completed


def test_what_pulumi_writes_on_the_way_is_for_the_user_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pulumi = tmp_path / "pulumi"
    pulumi.write_text("#!/bin/sh\numask\n")
    pulumi.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert int(completed(("stack", "export"), project_dir=tmp_path).stdout, 8) == 0o077
