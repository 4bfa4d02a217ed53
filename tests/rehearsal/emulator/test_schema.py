"""Requests against Google's discovery documents. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from rehearsal.emulator import discovery
from rehearsal.emulator.errors import InvalidArgumentError
from rehearsal.emulator.schema import accepted
from tests.rehearsal.emulator.running import LOCATION, emulated

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.emulator.document import Document

CONTAINER = discovery.load("container", "v1beta1")


def node_pool(**config: object) -> Document:
    body = {"nodePool": {"name": "p", "config": config}}
    return accepted(api=CONTAINER, schema="CreateNodePoolRequest", body=body)


def test_integers_of_64_bits_become_strings_and_of_32_bits_numbers() -> None:
    config = node_pool(
        diskSizeGb="100", accelerators=[{"acceleratorCount": 2, "acceleratorType": "t"}]
    )["nodePool"]["config"]
    assert config["diskSizeGb"] == 100
    assert config["accelerators"][0]["acceleratorCount"] == "2"


def test_an_enum_number_becomes_its_name() -> None:
    config = node_pool(taints=[{"key": "a", "value": "b", "effect": 1}])["nodePool"]["config"]
    assert config["taints"][0]["effect"] == "NO_SCHEDULE"


def test_an_enum_whose_numbers_have_gaps_is_named_by_its_number_too() -> None:
    def update(component: object) -> Document:
        config = {"componentConfig": {"enableComponents": [component]}}
        body = {"update": {"desiredMonitoringConfig": config}}
        return accepted(api=CONTAINER, schema="UpdateClusterRequest", body=body)

    assert update(15) == update("DCGM")
    with pytest.raises(InvalidArgumentError, match=r"enableComponents\[0\].*'6'.*DCGM"):
        update(6)
    settings = {"nodePool": {"upgradeSettings": {"strategy": 3}}}
    pool = accepted(api=CONTAINER, schema="CreateNodePoolRequest", body=settings)
    assert pool["nodePool"]["upgradeSettings"]["strategy"] == "SURGE"


def test_a_field_may_be_called_as_in_its_proto() -> None:
    body = {"node_pool": {"name": "p", "config": {"disk_size_gb": 9, "labels": {"a_b": "c"}}}}
    assert accepted(api=CONTAINER, schema="CreateNodePoolRequest", body=body) == {
        "nodePool": {"name": "p", "config": {"diskSizeGb": 9, "labels": {"a_b": "c"}}}
    }
    compute = discovery.load("compute", "v1")
    with pytest.raises(InvalidArgumentError, match='Unknown name "routing_config"'):
        accepted(api=compute, schema="Network", body={"routing_config": {}})


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"machinetype": "x"}, "Unknown name \"machinetype\" at 'nodePool.config'"),
        ({"machineType": 4}, "nodePool.config.machineType"),
        ({"diskSizeGb": "1O0"}, "nodePool.config.diskSizeGb"),
        ({"diskSizeGb": True}, "nodePool.config.diskSizeGb"),
        ({"spot": "yes"}, "nodePool.config.spot"),
        ({"taints": {"key": "a"}}, "nodePool.config.taints"),
        ({"taints": [{"effect": "NO"}]}, r"taints\[0\].effect.*NO_SCHEDULE"),
        ({"labels": {"a": 1}}, "nodePool.config.labels.a"),
    ],
)
def test_a_wrong_body_is_refused_with_the_path_of_the_field(
    config: dict[str, object], message: str
) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        node_pool(**config)


def test_fields_that_google_sends_but_does_not_document_pass_by_name() -> None:
    router = {"nats": [{"name": "n", "initialNatIps": []}]}
    compute = discovery.load("compute", "beta")
    assert accepted(api=compute, schema="Router", body=router) == router


@pytest.mark.parametrize(
    ("method", "path", "code", "message"),
    [
        ("GET", "/pubsub/v1/projects/p/topics", 501, "Nothing is served"),
        ("GET", f"{LOCATION}/klusters", 404, "no method GET"),
        ("POST", f"{LOCATION}/clusters/c:startIpRotation", 501, "clusters.startIpRotation"),
        ("GET", f"{LOCATION}/clusters?pagesize=3", 400, "pagesize"),
        ("GET", f"{LOCATION}/clusters?alt=json&prettyPrint=false", 200, ""),
    ],
)
def test_what_the_emulator_does_not_know_is_a_loud_error(
    tmp_path: Path, method: str, path: str, code: int, message: str
) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            answer = await client.call(method, path)
            assert answer.status_code == code
            assert message in answer.text
            [logged] = client.emulator.log.read()
            assert (logged.method, logged.status) == (method, code)
            assert message in logged.error

    asyncio.run(run())
