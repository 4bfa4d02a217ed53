"""Reading through the Pulumi CLI, played by a script that answers what was recorded."""

import json
from pathlib import Path
from typing import Any

import pytest

import daskfleet.platform.drift.collect_pulumi
from daskfleet.platform.drift.collect_pulumi import PulumiCli
from daskfleet.platform.drift.errors import DriftError
from daskfleet.platform.drift.state import PulumiResource
from tests.daskfleet.platform.drift.recordings import DATA, declared, recorded_state

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
        *("stack", "export", "--stack", "prod"),
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


def test_a_refresh_that_fails_is_quoted_although_all_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pool: PulumiResource
) -> None:
    ended = event("resOutputsEvent", pool, op="delete", new=None)
    pulumi = cli(tmp_path, monkeypatch, ended, rc=255)
    with pytest.raises(DriftError, match=r"`pulumi refresh --preview-only` failed:\nit broke"):
        pulumi.read_google([pool], progress=print)


def test_what_is_said_of_other_resources_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pool: PulumiResource
) -> None:
    other = pool.model_copy(update={"urn": f"{pool.urn}-other"})
    pulumi = cli(
        tmp_path,
        monkeypatch,
        event("resourcePreEvent", other),
        event("resOutputsEvent", other, op="delete", new=None),
        event("resOutputsEvent", pool, op="delete", new=None),
        {"diagnosticEvent": {"severity": "warning", "message": "an old plugin"}},
    )
    seen: list[str] = []
    assert [each.resource.urn for each in pulumi.read_google([pool], progress=seen.append)] == [
        pool.urn
    ]
    assert seen == []


def test_a_reader_that_stops_leaves_no_pulumi_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pool: PulumiResource
) -> None:
    script = tmp_path / "pulumi"
    pulumi = cli(tmp_path, monkeypatch)
    script.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\necho '{{no json'\nexec sleep 600\n")
    with pytest.raises(json.JSONDecodeError):
        pulumi.read_google([pool], progress=print)
    assert not Path("/proc", (tmp_path / "pid").read_text().strip()).exists()


def test_an_empty_stack_has_nothing_that_could_differ(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pulumi = cli(tmp_path, monkeypatch)
    nothing = recorded_state().model_copy(update={"stack": "prod", "google": (), "objects": ()})
    monkeypatch.setattr(daskfleet.platform.drift.collect_pulumi, "parse_state", lambda _: nothing)
    with pytest.raises(DriftError, match=r"Stack prod has no resources.*Run `pulumi up` first"):
        pulumi.read_state()


def test_without_pulumi_the_error_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DriftError, match="There is no `pulumi` on PATH"):
        PulumiCli(tmp_path, None).read_state()
