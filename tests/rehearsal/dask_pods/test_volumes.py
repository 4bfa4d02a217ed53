"""Unit: a pod's volumes as directories, and paths of the container as paths of this machine."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from rehearsal.dask_pods.model import Mounted
from rehearsal.dask_pods.volumes import LocalPaths, VolumeError, make_volumes, mounts_of
from tests.rehearsal.dask_pods.pods import place, pod

MOUNTED = Mounted(
    config_maps={"settings": {"dask.yaml": b"a: 1", "other": b"x"}},
    secrets={"tls": {"tls.key": b"key", "tls.crt": b"crt"}},
    tokens={"": b"of-the-account", "vault": b"for-the-vault"},
)


def made(tmp_path: Path, *mounts: dict[str, Any], **volume: Any) -> Path:
    """Make one volume and return its directory."""
    document = pod({"volumeMounts": list(mounts)}, volumes=[{"name": "v", **volume}])
    make_volumes(document, place=place(tmp_path), mounted=MOUNTED)
    return tmp_path / "pod" / "volumes" / "v"


def contents(directory: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(directory)): file.read_bytes()
        for file in directory.rglob("*")
        if file.is_file()
    }


@pytest.mark.parametrize(
    ("text", "here"),
    [
        ("/scratch", "/here/scratch"),
        ("/scratch/", "/here/scratch/"),
        ("/scratch/a/b", "/here/scratch/a/b"),
        ("--local-directory=/scratch/x", "--local-directory=/here/scratch/x"),
        ("/usr/bin:/scratch/bin:/data", "/usr/bin:/here/scratch/bin:/here/data"),
        ('["/scratch", "/data/x"]', '["/here/scratch", "/here/data/x"]'),
        ("/scratch/inner/x", "/here/inner/x"),
        ("/scratchy", "/scratchy"),
        ("/scratch-2 /scratch.d", "/scratch-2 /scratch.d"),
        ("/my/scratch", "/my/scratch"),
        ("gs://bucket/scratch/x", "gs://bucket/scratch/x"),
        ("scratch", "scratch"),
    ],
)
def test_only_a_whole_prefix_of_a_path_is_replaced(text: str, here: str) -> None:
    local = LocalPaths(
        {
            "/scratch": Path("/here/scratch"),
            "/data": Path("/here/data"),
            "/scratch/inner": Path("/here/inner"),
        }
    )
    assert local(text) == here
    assert LocalPaths({})(text) == text


def test_a_sub_path_is_a_part_of_its_volume(tmp_path: Path) -> None:
    whole = {"name": "v", "mountPath": "/etc/dask/"}
    part = {"name": "v", "mountPath": "/etc/one.yaml", "subPath": "dask.yaml"}
    directory = made(tmp_path, whole, part, configMap={"name": "settings"})
    local = mounts_of({"volumeMounts": [whole, part]}, place=place(tmp_path))
    assert local("/etc/dask/other") == str(directory / "other")
    assert Path(local("/etc/one.yaml")).read_bytes() == b"a: 1"


def test_a_sub_path_of_an_empty_volume_is_made(tmp_path: Path) -> None:
    directory = made(
        tmp_path, {"name": "v", "mountPath": "/a", "subPath": "deep/down"}, emptyDir={}
    )
    assert (directory / "deep" / "down").is_dir()


def test_an_empty_directory_keeps_what_was_written_and_is_its_owners_alone(tmp_path: Path) -> None:
    directory = made(tmp_path, emptyDir={"medium": "Memory", "sizeLimit": "1Gi"})
    (directory / "spilled").write_bytes(b"x")
    assert contents(made(tmp_path, emptyDir={})) == {"spilled": b"x"}
    assert directory.stat().st_mode & 0o777 == 0o700


def test_a_configmap_is_a_file_per_key_or_the_chosen_keys_under_their_paths(tmp_path: Path) -> None:
    every = made(tmp_path, configMap={"name": "settings"})
    assert contents(every) == {"dask.yaml": b"a: 1", "other": b"x"}
    items = [{"key": "dask.yaml", "path": "sub/main.yaml", "mode": 0o755}]
    some = made(tmp_path, configMap={"name": "settings", "items": items, "defaultMode": 0o644})
    assert contents(some) == {"sub/main.yaml": b"a: 1"}
    assert (some / "sub" / "main.yaml").stat().st_mode & 0o777 == 0o700


def test_a_secrets_files_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    directory = made(tmp_path, secret={"secretName": "tls", "defaultMode": 0o644})
    assert contents(directory) == {"tls.key": b"key", "tls.crt": b"crt"}
    assert {file.stat().st_mode & 0o777 for file in directory.iterdir()} == {0o600}


def test_the_downward_api_writes_fields_and_resources(tmp_path: Path) -> None:
    resource = {"containerName": "main", "resource": "limits.cpu", "divisor": "1m"}
    items = [
        {"path": "labels", "fieldRef": {"fieldPath": "metadata.labels"}},
        {"path": "cpu", "resourceFieldRef": resource},
    ]
    document = pod(
        {"resources": {"limits": {"cpu": "2"}}},
        volumes=[{"name": "v", "downwardAPI": {"items": items}}],
    )
    document["metadata"]["labels"] = {"b": 'say "hi"', "a": "1"}
    make_volumes(document, place=place(tmp_path), mounted=MOUNTED)
    assert contents(tmp_path / "pod" / "volumes" / "v") == {
        "labels": b'a="1"\nb="say \\"hi\\""',
        "cpu": b"2000",
    }


def test_a_projected_volume_joins_its_sources(tmp_path: Path) -> None:
    sources = [
        {"serviceAccountToken": {"path": "token"}},
        {"serviceAccountToken": {"path": "other", "audience": "vault"}},
        {"configMap": {"name": "settings", "items": [{"key": "other", "path": "o"}]}},
        {"secret": {"name": "tls", "items": [{"key": "tls.crt", "path": "c"}]}},
        {"downwardAPI": {"items": [{"path": "n", "fieldRef": {"fieldPath": "metadata.name"}}]}},
    ]
    document = pod(volumes=[{"name": "kube-api", "projected": {"sources": sources}}])
    make_volumes(document, place=place(tmp_path), mounted=MOUNTED)
    assert contents(tmp_path / "pod" / "volumes" / "kube-api") == {
        "o": b"x",
        "c": b"crt",
        "n": b"alpha-worker-1",
        "token": b"of-the-account",
        "other": b"for-the-vault",
    }


def test_what_is_written_to_a_disk_is_there_for_the_next_pod(tmp_path: Path) -> None:
    disk = tmp_path / "disks" / "pvc-1"
    mounted = Mounted(config_maps={}, secrets={}, disks={"home": disk})
    volume = {"name": "v", "persistentVolumeClaim": {"claimName": "home"}}
    for written in ("first", "second"):
        there = place(tmp_path)
        make_volumes(pod(volumes=[volume]), place=there, mounted=mounted)
        (there.directory / "volumes" / "v" / written).touch()
        shutil.rmtree(there.directory)
    assert {file.name for file in disk.iterdir()} == {"first", "second"}


@pytest.mark.parametrize(
    ("volume", "words"),
    [
        ({"configMap": {"name": "none"}}, 'configmap "none" not found'),
        ({"secret": {"secretName": "none"}}, 'secret "none" not found'),
        (
            {"secret": {"secretName": "tls", "items": [{"key": "k", "path": "p"}]}},
            'references non-existent secret key "k" of "tls"',
        ),
        ({"persistentVolumeClaim": {"claimName": "c"}}, 'persistentvolumeclaim "c" has no disk'),
        ({"hostPath": {"path": "/etc"}}, "of kind hostPath"),
        ({"projected": {"sources": [{"clusterTrustBundle": {}}]}}, "projected clusterTrustBundle"),
        (
            {"configMap": {"name": "settings", "items": [{"key": "other", "path": "../../x"}]}},
            "leads out of its volume",
        ),
    ],
)
def test_what_cannot_be_made_is_named(tmp_path: Path, volume: dict[str, Any], words: str) -> None:
    with pytest.raises(VolumeError, match=re.escape(words)):
        made(tmp_path, **volume)


def test_what_is_optional_and_missing_leaves_an_empty_volume(tmp_path: Path) -> None:
    directory = made(tmp_path, configMap={"name": "none", "optional": True})
    assert contents(directory) == {}


def test_an_expression_as_sub_path_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VolumeError, match="/a has a subPathExpr"):
        made(tmp_path, {"name": "v", "mountPath": "/a", "subPathExpr": "$(POD)"}, emptyDir={})
