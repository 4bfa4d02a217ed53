"""Pulumi's state, read without its secrets."""

import json

import pytest

from daskfleet.access.errors import AccessError
from daskfleet.platform.drift.state import parse_state
from tests.daskfleet.platform.drift.recordings import recorded, recorded_state


def test_the_kubeconfig_is_the_one_that_up_uses() -> None:
    kubeconfig = recorded_state().kubeconfig
    assert kubeconfig is not None
    assert kubeconfig["users"][0]["user"]["exec"]["command"] == "gke-gcloud-auth-plugin"


def test_secrets_do_not_leave_the_parser() -> None:
    document = recorded("state")
    secret = {"4dabf18193072939515e22adb298388d": "1b47", "plaintext": '"hunter2"'}
    for entry in document["deployment"]["resources"]:
        entry.setdefault("inputs", {})["password"] = secret
        entry["outputs"] = {**entry.get("outputs", {}), "nested": [{"password": secret}]}
    state = parse_state(document)
    assert state.google[0].inputs["password"] == "[secret]"  # noqa: S105 - its absence is the point
    assert "hunter2" not in state.model_dump_json()


def test_a_resource_on_its_way_out_is_not_declared() -> None:
    document = recorded("state")
    for entry in document["deployment"]["resources"]:
        if entry["urn"].endswith("::climate-dask-cluster"):
            entry["delete"] = True
    kinds = [each.kind for each in parse_state(document).objects]
    assert "DaskCluster" not in kinds
    assert "NetworkPolicy" in kinds


def test_what_an_update_works_on_is_known() -> None:
    document = recorded("state")
    (pool,) = (
        each
        for each in document["deployment"]["resources"]
        if each["urn"].endswith("::a100-auto-nodes")
    )
    document["deployment"]["pending_operations"] = [{"type": "updating", "resource": pool}]
    assert parse_state(document).pending == ("NodePool a100-auto",)


def test_a_stack_that_was_never_brought_up_has_nothing() -> None:
    state = parse_state({"deployment": {}})
    assert state.google == state.objects == ()


def test_a_kubeconfig_that_cannot_be_read_says_what_to_do() -> None:
    document = recorded("state")
    for entry in document["deployment"]["resources"]:
        if entry["type"] == "daskfleet:gke:KubernetesProvider":
            entry["outputs"]["kubeconfig"] = json.dumps("no document")[:-3]
    with pytest.raises(AccessError, match="run `pulumi up` once"):
        parse_state(document)


def test_a_state_of_an_older_release_says_what_to_do() -> None:
    document = recorded("state")
    for entry in document["deployment"]["resources"]:
        if entry["type"] == "daskfleet:gke:KubernetesProvider":
            entry["outputs"] = {}
    with pytest.raises(AccessError, match="run `pulumi up` once"):
        parse_state(document)
