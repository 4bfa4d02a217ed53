"""Unit: the kubeconfig that kubectl would use, cut to its current context."""

import asyncio
import json
import os
import re
import stat
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from daskfleet.access.errors import AccessError
from daskfleet.access.kubeconfig import with_files
from daskfleet.access.kubernetes_api import connected
from daskfleet.access.own_kubeconfig import own_kubeconfig
from tests.daskfleet.access.played_api import kubeconfig_to


def written(file: Path, **changes: Any) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({**kubeconfig_to("https://one"), **changes}), encoding="utf-8")
    return file


def test_the_one_at_home_is_used_where_none_is_named(tmp_path: Path) -> None:
    written(tmp_path / ".kube" / "config")

    assert own_kubeconfig({"HOME": str(tmp_path)}) == kubeconfig_to("https://one")


def test_several_are_one_the_first_that_says_something_counts(tmp_path: Path) -> None:
    users = [{"name": "u", "user": {"token": "of the first"}}]
    first = tmp_path / "first"
    first.write_text(json.dumps({"kind": "Config", "users": users}), encoding="utf-8")
    second = written(tmp_path / "second")
    named = os.pathsep.join(map(str, (tmp_path / "missing", first, second)))

    found = own_kubeconfig({"KUBECONFIG": named})

    assert found["users"] == users
    assert found["current-context"] == "gke_prod"


def test_other_clusters_of_it_are_left_out_and_paths_are_from_its_folder(tmp_path: Path) -> None:
    file = written(
        tmp_path / "kubeconfig",
        clusters=[
            {"name": "other", "cluster": {"server": "https://other"}},
            {"name": "c", "cluster": {"server": "https://c", "certificate-authority": "pki/ca"}},
        ],
    )

    assert own_kubeconfig({"KUBECONFIG": str(file)})["clusters"] == [
        {
            "name": "c",
            "cluster": {
                "server": "https://c",
                "certificate-authority": str(tmp_path / "pki" / "ca"),
            },
        }
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "There is no kubeconfig at {place}: `gcloud container clusters get-credentials"),
        ("{}", "has no current context: choose one with `kubectl config use-context"),
        ('{"current-context": "gone"}', "has no context 'gone', which its current context needs"),
        (": [", "cannot be read: "),
        ("[1, 2]", "has no current context"),
        ('{"current-context": "x", "contexts": [1, {"name": "x"}]}', "has no context 'x', which"),
    ],
)
def test_what_is_wrong_with_it_is_said(text: str | None, words: str, tmp_path: Path) -> None:
    file = tmp_path / "kubeconfig"
    if text is not None:
        file.write_text(text, encoding="utf-8")

    with pytest.raises(AccessError, match=re.escape(words.format(place=file))):
        own_kubeconfig({"KUBECONFIG": str(file)})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"clusters": [{"name": "c", "cluster": {}}]}, "does not say where its cluster is"),
        ({"users": [{"name": "u", "user": {"as": "root"}}]}, "logs in with `as`"),
        ({"users": [{"name": "u", "user": {"tokenFile": "t"}}]}, "logs in with `tokenFile`"),
    ],
)
def test_what_this_command_would_pass_over_is_refused(
    changes: dict[str, Any], words: str, tmp_path: Path
) -> None:
    file = written(tmp_path / "kubeconfig", **changes)

    with pytest.raises(AccessError, match=re.escape(words)):
        own_kubeconfig({"KUBECONFIG": str(file)})


def test_a_path_that_is_none_is_left_as_it_is(tmp_path: Path) -> None:
    cluster = {"server": "https://one", "certificate-authority": 5}
    file = written(tmp_path / "kubeconfig", clusters=[{"name": "c", "cluster": cluster}])

    (found,) = own_kubeconfig({"KUBECONFIG": str(file)})["clusters"]

    assert found["cluster"] == cluster


def test_a_key_that_is_none_is_said_to_be_none() -> None:
    kubeconfig = kubeconfig_to("https://one")
    kubeconfig["users"][0]["user"] = {"client-key-data": "a"}

    async def connect() -> None:
        async with connected(kubeconfig, request_timeout_s=1):
            pass

    with pytest.raises(AccessError, match="an invalid certificate or key"):
        asyncio.run(connect())


def test_keys_inside_of_it_become_files_that_only_their_owner_reads(tmp_path: Path) -> None:
    kubeconfig = kubeconfig_to("https://one")
    kubeconfig["users"][0]["user"] = {"client-key-data": b64encode(b"secret").decode()}

    (user,) = with_files(kubeconfig, tmp_path)["users"]

    file = Path(user["user"]["client-key"])
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"secret", 0o600)
    assert user["user"].keys() == {"client-key"}
