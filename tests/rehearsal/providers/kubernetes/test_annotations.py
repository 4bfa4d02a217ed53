"""Unit tests: annotations that steer how the provider waits."""

from typing import Any

import pytest

from rehearsal.providers.kubernetes.annotations import (
    deletion_propagation,
    skips_await,
    timeout_s,
    wait_conditions,
)
from rehearsal.providers.protocol import ProviderError


def annotated(key: str, value: str) -> dict[str, Any]:
    return {"metadata": {"annotations": {f"pulumi.com/{key}": value}}}


def test_a_condition_defaults_to_true() -> None:
    (ready,) = wait_conditions(annotated("waitFor", "condition=Ready"))
    assert ready.holds({"status": {"conditions": [{"type": "Ready", "status": "True"}]}})
    assert not ready.holds({"status": {"conditions": [{"type": "Ready", "status": "False"}]}})


def test_a_condition_may_name_its_status() -> None:
    (failed,) = wait_conditions(annotated("waitFor", "condition=Ready=False"))
    assert failed.holds({"status": {"conditions": [{"type": "Ready", "status": "False"}]}})


def test_a_json_path_with_a_value_compares_text() -> None:
    (phase,) = wait_conditions(annotated("waitFor", "jsonpath={.status.phase}=Running"))
    assert phase.holds({"status": {"phase": "Running"}})
    assert not phase.holds({"status": {"phase": "Pending"}})
    (flag,) = wait_conditions(annotated("waitFor", "jsonpath={.status.ok}=true"))
    assert flag.holds({"status": {"ok": True}})


def test_a_json_path_without_a_value_asks_for_existence() -> None:
    (exists,) = wait_conditions(annotated("waitFor", "jsonpath={.status.address}"))
    assert exists.holds({"status": {"address": "10.0.0.1"}})
    assert not exists.holds({"status": {}})


def test_every_expression_of_a_list_must_hold() -> None:
    both = wait_conditions(
        annotated("waitFor", '["condition=Ready", "jsonpath={.status.phase}=Running"]')
    )
    assert [item.text for item in both] == ["condition=Ready", "jsonpath={.status.phase}=Running"]


def test_a_status_of_an_older_generation_proves_nothing() -> None:
    (phase,) = wait_conditions(annotated("waitFor", "jsonpath={.status.phase}=Running"))
    live = {"metadata": {"generation": 2}, "status": {"observedGeneration": 1, "phase": "Running"}}
    assert not phase.holds(live)


@pytest.mark.parametrize("text", ["phase=Running", "jsonpath=.status.phase", "[]", "condition="])
def test_an_expression_that_cannot_be_evaluated_is_refused(text: str) -> None:
    with pytest.raises(ProviderError, match=r"pulumi\.com/waitFor"):
        wait_conditions(annotated("waitFor", text))


def test_deletion_is_foreground_unless_annotated() -> None:
    assert deletion_propagation({}) == "Foreground"
    policy = annotated("deletionPropagationPolicy", "background")
    assert deletion_propagation(policy) == "Background"


def test_time_out_and_skipping_come_from_annotations() -> None:
    assert timeout_s(annotated("timeoutSeconds", "7"), default_s=600) == 7
    assert timeout_s(annotated("timeoutSeconds", "soon"), default_s=600) == 600
    assert skips_await(annotated("skipAwait", "true"))
    assert not skips_await({})
