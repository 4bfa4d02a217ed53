"""Requests against Google's discovery documents. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from rehearsal.emulator import discovery
from rehearsal.emulator.errors import BadRequestError
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
    with pytest.raises(BadRequestError, match=r"(?s)enable_components\[0\].*6.*DCGM"):
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
    with pytest.raises(BadRequestError, match='Unknown name "routing_config"'):
        accepted(api=compute, schema="Network", body={"routing_config": {}})


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (
            {"machinetype": "x"},
            "Unknown name \"machinetype\" at 'node_pool.config': Cannot find field.",
        ),
        ({"machineType": 4}, "Invalid value at 'node_pool.config.machine_type' (TYPE_STRING), 4"),
        ({"diskSizeGb": "1O0"}, "'node_pool.config.disk_size_gb' (TYPE_INT32), \"1O0\""),
        ({"diskSizeGb": True}, "'node_pool.config.disk_size_gb' (TYPE_INT32), true"),
        ({"spot": "yes"}, "'node_pool.config.spot' (TYPE_BOOL), \"yes\""),
        ({"taints": {"key": "a"}}, "Invalid value at 'node_pool.config.taints'"),
        ({"taints": [{"effect": "NO"}]}, "'node_pool.config.taints[0].effect' (TYPE_ENUM), \"NO\""),
        ({"labels": {"a": 1}}, "'node_pool.config.labels[0].value' (TYPE_STRING), 1"),
        (
            {"imageType": ["COS"]},
            "at 'node_pool.config': Proto field is not repeating, cannot start list.",
        ),
        (
            {"imageType": {}},
            "at 'node_pool.config' (image_type), Starting an object on a scalar field",
        ),
        (
            {"gvnic": 1},
            "'node_pool.config.gvnic' (type.googleapis.com/google.container.v1beta1.VirtualNIC), 1",
        ),
    ],
)
def test_a_wrong_body_is_refused_in_googles_words(config: dict[str, object], words: str) -> None:
    with pytest.raises(BadRequestError) as raised:
        node_pool(**config)
    assert words in raised.value.message


def test_all_that_is_wrong_is_said_at_once_and_what_is_allowed_apart_from_googles_words() -> None:
    with pytest.raises(BadRequestError) as raised:
        node_pool(spot="yes", taints=[{"effect": "NO"}], bogus=1)
    error = raised.value.body()["error"]
    request, allowed = error["details"]
    assert request["@type"] == "type.googleapis.com/google.rpc.BadRequest"
    assert [each["field"] for each in request["fieldViolations"]] == [
        "node_pool.config.spot",
        "node_pool.config.taints[0].effect",
        "node_pool.config",
    ]
    words = [each["description"] for each in request["fieldViolations"]]
    assert error["message"] == "\n".join(words)
    assert (error["code"], error["status"]) == (400, "INVALID_ARGUMENT")
    assert "NO_SCHEDULE" not in error["message"]
    assert "NO_SCHEDULE" in allowed["detail"]
    assert "NodeConfig has: accelerators" in allowed["detail"]


def test_fields_that_google_sends_but_does_not_document_pass_by_name() -> None:
    router = {"nats": [{"name": "n", "initialNatIps": []}]}
    compute = discovery.load("compute", "beta")
    assert accepted(api=compute, schema="Router", body=router) == router


@pytest.mark.parametrize(
    ("method", "path", "code", "message"),
    [
        ("GET", "/pubsub/v1/projects/p/topics", 501, "Nothing is served"),
        ("GET", "/cloud_billing/v1/projects/p/billingInfo", 501, "Nothing is served"),
        ("GET", f"{LOCATION}/klusters", 404, "no method GET"),
        ("POST", f"{LOCATION}/clusters/c:startIpRotation", 501, "clusters.startIpRotation"),
        ("GET", f"{LOCATION}/clusters?pagesize=3", 400, "Field 'pagesize' could not be found"),
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
