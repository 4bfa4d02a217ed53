"""Input checks of the gcp stand-in against the SDK's types. Unit tier."""

import pytest

from rehearsal.providers.gcp.check import failures
from rehearsal.providers.gcp.input_schema import Block, block_of
from rehearsal.providers.protocol import UNKNOWN, Properties, Secret


@pytest.fixture(scope="module")
def node_pool() -> Block:
    return block_of("pulumi_gcp.container", "NodePoolArgs")


def _reasons(inputs: Properties, block: Block) -> list[str]:
    return [failure.reason for failure in failures({"cluster": "c", **inputs}, block)]


def test_a_good_pool_passes(node_pool: Block) -> None:
    inputs = {
        "nodeCount": 2,
        "nodeConfig": {
            "labels": {"any/key": "v"},
            "guestAccelerators": [{"type": "t", "count": 1}],
        },
    }
    assert _reasons(inputs, node_pool) == []


def test_a_misspelt_input_gets_a_suggestion(node_pool: Block) -> None:
    assert _reasons({"nodeCont": 2}, node_pool) == [
        "input nodeCont is not an input here; did you mean nodeCount?"
    ]


def test_a_nested_missing_input_is_named_with_its_place_in_the_list(node_pool: Block) -> None:
    taint = {"key": "k", "effect": "NO_SCHEDULE"}
    assert _reasons({"nodeConfig": {"taints": [taint]}}, node_pool) == [
        "input nodeConfig.taints[0].value is required and missing"
    ]


@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        ({"nodeCount": "2"}, "input nodeCount must be a whole number, is a string"),
        ({"nodeCount": True}, "input nodeCount must be a whole number, is a boolean"),
        ({"nodeConfig": []}, "input nodeConfig must be an object, is a list"),
        ({"nodeLocations": "z"}, "input nodeLocations must be a list, is a string"),
    ],
)
def test_a_wrong_type_says_both_types(node_pool: Block, inputs: Properties, reason: str) -> None:
    assert _reasons(inputs, node_pool) == [reason]


def test_all_failures_come_at_once(node_pool: Block) -> None:
    assert len(failures({"nodeCount": "2", "nodeCont": 1}, node_pool)) == 3


def test_an_unknown_value_passes_and_a_secret_is_looked_into(node_pool: Block) -> None:
    assert _reasons({"nodeCount": UNKNOWN}, node_pool) == []
    assert _reasons({"nodeCount": Secret("two")}, node_pool) == [
        "input nodeCount must be a whole number, is a string"
    ]


def test_a_failure_never_repeats_the_value(node_pool: Block) -> None:
    assert "hunter2" not in str(_reasons({"nodeCount": Secret("hunter2")}, node_pool))
