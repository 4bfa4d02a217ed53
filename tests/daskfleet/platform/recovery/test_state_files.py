"""A local backend whose attributes a kill has cut short, with the real engine."""

import os
import subprocess
from pathlib import Path

import pytest

from daskfleet.access.pulumi_cli import Pulumi, PulumiFailedError
from daskfleet.platform.recovery.recover import recover
from daskfleet.platform.recovery.state_files import drop_cut_attributes, is_cut_short
from rehearsal.toolchain import ensure_toolchain


@pytest.fixture
def backend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a stack, whose state is in a directory."""
    pulumi = ensure_toolchain(progress=print).pulumi
    folder = tmp_path / "state"
    folder.mkdir()
    (tmp_path / "Pulumi.yaml").write_text("name: daskfleet\nruntime: python\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{pulumi.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PULUMI_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PULUMI_BACKEND_URL", f"file://{folder}")
    monkeypatch.setenv("PULUMI_CONFIG_PASSPHRASE", "")
    monkeypatch.setenv("PULUMI_SKIP_UPDATE_CHECK", "true")
    command = (str(pulumi), "stack", "init", "dev", "--non-interactive")
    subprocess.run(command, check=True, capture_output=True)
    return folder


def attributes(backend: Path) -> Path:
    return backend / ".pulumi" / "stacks" / "daskfleet" / "dev.json.attrs"


@pytest.mark.rehearsal
@pytest.mark.parametrize("left", ["", '{"user.cache_control":'])
def test_a_state_with_cut_attributes_can_be_read_again_after_recover(
    backend: Path, left: str
) -> None:
    pulumi = Pulumi(project_dir=Path(), stack="dev")
    state = pulumi.document("stack", "export")
    attributes(backend).write_text(left, encoding="utf-8")
    with pytest.raises(PulumiFailedError) as refused:
        pulumi.document("stack", "export")
    assert is_cut_short(refused.value.said)

    found = recover(pulumi, break_lock=False, look_for_existing=False, confirm=lambda _: False)

    assert found.dropped == (attributes(backend),)
    assert pulumi.document("stack", "export")["deployment"].get("resources") == state[
        "deployment"
    ].get("resources")


def test_attributes_that_are_whole_stay(tmp_path: Path) -> None:
    stacks = tmp_path / ".pulumi" / "stacks" / "daskfleet"
    stacks.mkdir(parents=True)
    whole, cut = stacks / "prod.json.attrs", stacks / "dev.json.attrs"
    whole.write_text("{}", encoding="utf-8")
    cut.touch()

    assert drop_cut_attributes(f"file://{tmp_path}?no_tmp_dir=true") == (cut,)
    assert whole.exists()


def test_a_bucket_has_no_such_files() -> None:
    assert drop_cut_attributes("gs://acme-pulumi/fleets") == ()
