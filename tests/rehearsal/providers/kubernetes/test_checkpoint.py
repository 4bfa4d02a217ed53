"""Unit tests: what the state keeps of an object."""

from typing import Any

from rehearsal.providers.kubernetes.checkpoint import checkpoint, stored_manager


def test_the_bookkeeping_is_the_real_providers() -> None:
    inputs = {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "1"}}
    outputs = checkpoint(inputs=inputs, live={**inputs, "metadata": {"uid": "1"}}, manager="m")
    assert outputs["__inputs"] == inputs
    assert outputs["__fieldManager"] == "m"
    assert outputs["__initialApiVersion"] == "v1"
    assert outputs["metadata"] == {"uid": "1"}
    assert stored_manager(outputs) == "m"


def test_the_data_of_a_secret_is_never_plain() -> None:
    inputs: dict[str, Any] = {"apiVersion": "v1", "kind": "Secret", "stringData": {"a": "canary"}}
    live = {"apiVersion": "v1", "kind": "Secret", "data": {"a": "Y2FuYXJ5"}}
    text = repr(checkpoint(inputs=inputs, live=live, manager="m"))
    assert "canary" not in text
    assert "Y2FuYXJ5" not in text
