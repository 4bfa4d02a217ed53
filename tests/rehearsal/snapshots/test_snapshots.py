"""Unit: names of snapshots, copies of stages, and what cannot be put back; nothing runs."""

import json
import os
import shutil
import socket
import stat
from pathlib import Path
from typing import Any

import pytest

from rehearsal.control_plane.layout import Layout
from rehearsal.errors import RehearsalError
from rehearsal.snapshots.names import DRAFT, existing_snapshot, forget, new_snapshot, saved_names
from rehearsal.snapshots.put_back import put_back
from rehearsal.snapshots.save import save
from rehearsal.snapshots.stage_copy import copy_stage
from rehearsal.supervisor.at_rest import AtRest, made_here
from rehearsal.workspace import Workspace

A_PORT = 1


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A stack of which nothing runs."""
    return Workspace.of_stack(tmp_path, "prod")


def at_rest(workspace: Workspace, **different: object) -> Workspace:
    """Let a stage be at rest in the workspace."""
    workspace.directory.mkdir(parents=True)
    fields = {
        **made_here(),
        "directory": workspace.directory,
        "port": A_PORT,
        "latency": "fast",
        "dask": "run",
        "emulator": {},
    }
    AtRest.model_validate(fields | different).write(workspace.rest_file)
    return workspace


def snapshot_of(workspace: Workspace, name: str = "fresh", **different: Any) -> Path:
    """Have a snapshot, and nothing else."""
    return saved(at_rest(workspace, **different), name)


def saved(workspace: Workspace, name: str = "fresh") -> Path:
    """Let a stage that is at rest be a snapshot instead."""
    snapshot = new_snapshot(workspace, name)
    snapshot.parent.mkdir(parents=True, exist_ok=True)
    return workspace.directory.rename(snapshot)


@pytest.fixture(autouse=True)
def free_ports(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Which ports were asked for; all of them are free."""
    asked: list[int] = []

    def listened(port: int) -> socket.socket:
        asked.append(port)
        return socket.socket()

    monkeypatch.setattr("rehearsal.snapshots.put_back.listen", listened)
    return asked


@pytest.mark.parametrize("name", ["..", "a/b", "", ".hidden", "a b", "-x", "x" * 101])
def test_no_name_leads_out_of_the_directory_of_snapshots(workspace: Workspace, name: str) -> None:
    with pytest.raises(RehearsalError, match="is no name for what is saved"):
        new_snapshot(workspace, name)
    with pytest.raises(RehearsalError, match="Nothing of stack prod is saved as"):
        existing_snapshot(workspace, name)


def test_the_error_of_an_unknown_name_lists_those_that_there_are(workspace: Workspace) -> None:
    with pytest.raises(RehearsalError, match="Saved: nothing") as nothing:
        existing_snapshot(workspace, "x")
    assert "daskfleet rehearse save NAME --stack prod" in str(nothing.value)
    for name in ("second", "first"):
        snapshot_of(workspace, name)
    with pytest.raises(RehearsalError, match="Saved: first, second"):
        existing_snapshot(workspace, "x")


def test_a_name_is_used_once_until_it_is_forgotten(workspace: Workspace) -> None:
    snapshot = snapshot_of(workspace)
    with pytest.raises(RehearsalError, match="rehearse forget fresh --stack prod"):
        new_snapshot(workspace, "fresh")
    forget(workspace, "fresh")
    assert new_snapshot(workspace, "fresh") == snapshot
    assert not snapshot.exists()


def test_snapshots_of_no_stack_lie_where_another_stack_has_its_own(tmp_path: Path) -> None:
    directories = [Workspace.of_stack(tmp_path, name) for name in ("prod", "prod.saved", "saved")]
    assert len({workspace.saved_dir for workspace in directories}) == 3
    stages = {workspace.directory for workspace in directories}
    assert not any(stages & {w.saved_dir, *w.saved_dir.parents} for w in directories)


def test_a_copy_is_its_owners_and_has_all_but_what_belongs_to_who_runs_it(tmp_path: Path) -> None:
    stage = tmp_path / "stage"
    (stage / "clusters" / "c").mkdir(parents=True)
    (stage / "clusters" / "c" / "supervisor.lock").write_text("is kept: only the top is meant")
    (stage / "clusters" / "c" / "key").touch(mode=0o600)
    (stage / "supervisor.lock").touch()
    (stage / "kubectl-cache").mkdir()
    (stage / "link").symlink_to("nowhere")
    target = tmp_path / "saved" / "fresh"
    copy_stage(stage, target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o700
    assert stat.S_IMODE((target / "clusters" / "c" / "key").stat().st_mode) == 0o600
    assert {path.name for path in target.iterdir()} == {"clusters", "link"}
    assert len(list((target / "clusters" / "c").iterdir())) == 2
    assert (target / "link").readlink() == Path("nowhere")


def test_a_copy_that_is_interrupted_is_not_there_and_does_not_hinder_the_next(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = at_rest(workspace).directory
    draft = workspace.saved_dir / DRAFT
    draft.mkdir(parents=True)
    (draft / "half").touch()  # of a save that was killed
    assert saved_names(workspace) == ()

    copy_stage(stage, draft)
    assert [path.name for path in draft.iterdir()] == ["at-rest.json"]

    monkeypatch.setattr(shutil, "copytree", interrupted)
    with pytest.raises(KeyboardInterrupt):
        copy_stage(stage, draft)
    assert not draft.exists()


def interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_snapshot_is_put_in_the_place_of_what_is_left_of_the_stage(workspace: Workspace) -> None:
    snapshot = snapshot_of(workspace)
    workspace.directory.mkdir()
    (workspace.directory / "left").touch()
    put_back(workspace, snapshot, report=print)
    assert [path.name for path in workspace.directory.iterdir()] == ["at-rest.json"]
    assert existing_snapshot(workspace, "fresh") == snapshot
    assert [path.name for path in workspace.directory.parent.iterdir()] == [".saved", "prod"]


@pytest.mark.parametrize(
    ("different", "word"),
    [({"format": 0}, "format 0"), ({"versions": {"etcd": "v3.5.0"}}, "etcd v3.5.0")],
)
def test_what_another_release_has_saved_is_refused_and_what_is_there_stays(
    workspace: Workspace, different: dict[str, Any], word: str
) -> None:
    snapshot = snapshot_of(workspace, **different)
    workspace.directory.mkdir()
    with pytest.raises(RehearsalError, match="another release of daskfleet") as refused:
        put_back(workspace, snapshot, report=print)
    assert word in str(refused.value)
    assert workspace.directory.exists()


def test_what_another_release_has_saved_is_told_so_even_with_fields_unknown_here(
    workspace: Workspace,
) -> None:
    snapshot = snapshot_of(workspace)
    file = snapshot / "at-rest.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "format": 99, "new": 1}))
    with pytest.raises(RehearsalError, match="format 99"):
        put_back(workspace, snapshot, report=print)
    file.write_text("{")
    with pytest.raises(RehearsalError, match=r"at-rest.json cannot be read"):
        put_back(workspace, snapshot, report=print)


def test_each_port_that_was_saved_must_be_free_and_the_one_that_is_not_is_named(
    workspace: Workspace, free_ports: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = Layout(directory=at_rest(workspace).clusters_dir / "c")
    cluster.directory.mkdir(parents=True)
    cluster.ports.write_text(json.dumps({"api_server": 2, "etcd_client": 3}))
    snapshot = saved(workspace)
    put_back(workspace, snapshot, report=print)
    assert free_ports == [A_PORT, 2, 3]

    free_ports.clear()
    put_back(workspace, snapshot, report=print)
    assert free_ports == [A_PORT]  # the others are the stage's own, and will be free

    shutil.rmtree(workspace.directory)
    monkeypatch.undo()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        (Layout(directory=snapshot / "clusters" / "c").ports).write_text(json.dumps({"a": port}))
        rest = json.loads((snapshot / "at-rest.json").read_text())
        (snapshot / "at-rest.json").write_text(json.dumps({**rest, "port": port}))
        with pytest.raises(RehearsalError, match=rf"Port {port} of 127.0.0.1 is taken"):
            put_back(workspace, snapshot, report=print)


def test_disks_are_used_only_where_they_were(workspace: Workspace, tmp_path: Path) -> None:
    (at_rest(workspace).disks_dir / "c" / "pvc-1").mkdir(parents=True)
    snapshot = saved(workspace)
    put_back(workspace, snapshot, report=print)
    assert (workspace.disks_dir / "c" / "pvc-1").exists()
    other = Workspace(project_dir=tmp_path, directory=tmp_path / "other", stack="prod")
    with pytest.raises(RehearsalError, match="has persistent volumes"):
        put_back(other, snapshot, report=print)


def test_what_does_not_run_cannot_be_saved(workspace: Workspace) -> None:
    with pytest.raises(RehearsalError, match="No rehearsal of stack prod runs that could be saved"):
        save(workspace, "fresh", report=print)
    assert saved_names(workspace) == ()
    assert not os.path.lexists(workspace.saved_dir)
