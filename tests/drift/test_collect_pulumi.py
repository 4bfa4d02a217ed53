"""Reading through the Pulumi CLI, played by a script that answers what was recorded."""

import json
from pathlib import Path
from typing import Any

import pytest

from drift.collect_pulumi import PulumiCli
from drift.errors import DriftError
from drift.state import PulumiResource
from tests.drift.recordings import DATA, declared

POOL = "a100-auto-nodes"


@pytest.fixture
def pool() -> PulumiResource:
    return declared(POOL)


def event(kind: str, resource: PulumiResource, **metadata: Any) -> dict[str, Any]:
    return {kind: {"metadata": {"urn": resource.urn, "op": "refresh", **metadata}}}


def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *events: dict[str, Any], rc: int = 0
) -> PulumiCli:
    """A pulumi that prints these events, or the recorded state."""
    printed = tmp_path / "events"
    printed.write_text("installing\n" + "".join(f"{json.dumps(each)}\n" for each in events))
    script = tmp_path / "pulumi"
    script.write_text(
        "#!/bin/sh\n"
        f'echo "$@" >> {tmp_path}/calls\n'
        f'case "$1" in stack) cat {DATA}/state.json ;; *) cat {printed} ;; esac\n'
        f"[ {rc} = 0 ] || echo it broke >&2\nexit {rc}\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return PulumiCli(tmp_path, "prod")


def test_the_state_is_read_of_the_named_stack_and_never_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = cli(tmp_path, monkeypatch).read_state()
    assert state.stack == "rehearsal"
    assert (tmp_path / "calls").read_text().split() == [
        *("stack", "export", "--show-secrets", "--stack", "prod"),
        *("--non-interactive", "--color=never"),
    ]


def test_a_refresh_is_only_previewed_and_asks_for_google_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pool: PulumiResource
) -> None:
    diff = {"name": {"diffKind": "update-replace"}, "nodeCount": {"diffKind": "update"}}
    new = {"inputs": {"name": "a100-auto"}, "outputs": {"version": "1"}}
    pulumi = cli(
        tmp_path,
        monkeypatch,
        event("resourcePreEvent", pool),
        event("resOutputsEvent", pool, new=new, op="update", detailedDiff=diff),
    )
    seen: list[str] = []
    (reading,) = pulumi.read_google([pool], progress=seen.append)
    assert (reading.inputs, reading.outputs) == (new["inputs"], new["outputs"])
    assert reading.changed == {"name": True, "nodeCount": False}
    assert seen == ["NodePool a100-auto"]
    call = (tmp_path / "calls").read_text()
    assert "refresh --preview-only" in call
    assert f"--target={pool.urn}" in call


def test_inputs_are_named_where_the_provider_names_no_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pool: PulumiResource
) -> None:
    new: dict[str, Any] = {"inputs": {}, "outputs": {}}
    ended = event("resOutputsEvent", pool, new=new, op="update", diffs=["nodeConfig"])
    (reading,) = cli(tmp_path, monkeypatch, ended).read_google([pool], progress=print)
    assert reading.changed == {"nodeConfig": False}


def test_a_deleted_resource_does_not_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pool: PulumiResource
) -> None:
    pulumi = cli(tmp_path, monkeypatch, event("resOutputsEvent", pool, op="delete", new=None))
    (reading,) = pulumi.read_google([pool], progress=print)
    assert not reading.exists


def test_a_resource_that_was_not_read_is_an_error_and_no_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pool: PulumiResource
) -> None:
    said = {"diagnosticEvent": {"severity": "error", "message": "403: no permission"}}
    pulumi = cli(tmp_path, monkeypatch, said)
    with pytest.raises(DriftError, match=r"(?s)NodePool a100-auto.*403: no permission"):
        pulumi.read_google([pool], progress=print)


def test_a_pulumi_that_fails_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DriftError, match="it broke"):
        cli(tmp_path, monkeypatch, rc=255).read_state()


def test_without_pulumi_the_error_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DriftError, match="There is no `pulumi` on PATH"):
        PulumiCli(tmp_path, None).read_state()
