"""A registry that wants a login: what its pods wait for, and what lets them start."""

import base64
import json
from typing import Any

import pytest

from rehearsal.dask_pods.image_pull import KEY, why_not_pulled
from rehearsal.dask_pods.model import Mounted
from rehearsal.dask_pods.needs import needs_of
from tests.rehearsal.dask_pods.pods import pod
from tests.rehearsal.dask_pods.running import Start, is_ready, is_waiting, main, until

HOST = "registry.acme.example"
IMAGE = f"{HOST}/rapids:1"
WANTED = {HOST: b"puller:right"}


def config(**entries: dict[str, str]) -> dict[str, bytes]:
    return {KEY: json.dumps({"auths": entries}).encode()}


def auth(login: str) -> dict[str, str]:
    return {"auth": base64.b64encode(login.encode()).decode()}


def mounted(*secrets: dict[str, bytes]) -> Mounted:
    named = {f"pull-{number}": each for number, each in enumerate(secrets)}
    return Mounted(config_maps={}, secrets={}, pull_secrets=named, private_registries=WANTED)


@pytest.mark.parametrize(
    "secret",
    [
        config(**{HOST: auth("puller:right")}),
        config(**{f"https://{HOST}/v2/": {"username": "puller", "password": "right"}}),
    ],
)
def test_an_image_is_pulled_with_a_login_however_the_secret_spells_it(
    secret: dict[str, bytes],
) -> None:
    assert why_not_pulled(IMAGE, mounted(config(), secret)) == ""


@pytest.mark.parametrize(
    "secret",
    [
        {},
        {KEY: b"not JSON"},
        {KEY: b"[]"},
        config(**{HOST: auth("puller:wrong")}),
        config(**{"registry.other.example": auth("puller:right")}),
        config(**{HOST: {"auth": "%"}}),
    ],
)
def test_without_the_right_login_the_registry_refuses(secret: dict[str, bytes]) -> None:
    assert "401 Unauthorized" in why_not_pulled(IMAGE, mounted(secret))


def test_other_registries_ask_nobody() -> None:
    assert why_not_pulled("nvcr.io/nvidia/rapidsai/base:1", mounted()) == ""
    assert why_not_pulled(IMAGE, Mounted(config_maps={}, secrets={})) == ""


def test_the_secrets_that_a_pod_pulls_with_are_none_that_it_mounts() -> None:
    needs = needs_of(pod(imagePullSecrets=[{"name": "acme"}]))

    assert needs.pull_secrets == {"acme"}
    assert not needs.secrets


@pytest.mark.asyncio
async def test_a_pod_waits_for_its_image_and_starts_once_the_secret_is_there(start: Start) -> None:
    document: dict[str, Any] = pod({"command": ["sleep", "60"], "image": IMAGE})
    run = await start(document, mounted=mounted())

    status = await until(run, is_waiting)
    assert main(status)["state"]["waiting"]["reason"] == "ImagePullBackOff"
    assert status["phase"] == "Pending"

    run.now_mounted(mounted(config(**{HOST: auth("puller:right")})))
    await until(run, is_ready)
