"""Unit: what counts as a change, and which ones are losses."""

import json
from pathlib import Path
from typing import Any

from tests.upgrades.planned_changes import planned_changes
from tests.upgrades.releases import ExplainedChange

POOL = "gcp:container/nodePool:NodePool"


def step(operation: str, kind: str, name: str, **more: Any) -> dict[str, Any]:
    urn = f"urn:pulumi:test::daskfleet::{kind}::{name}"
    return {"resourcePreEvent": {"metadata": {"op": operation, "type": kind, "urn": urn, **more}}}


def log(tmp_path: Path, *events: dict[str, Any]) -> Path:
    file = tmp_path / "events.jsonl"
    file.write_text("\n".join(map(json.dumps, events)), encoding="utf-8")
    return file


def test_what_stays_as_it_is_is_no_change(tmp_path: Path) -> None:
    events = log(tmp_path, step("same", POOL, "a"), step("update", "pulumi:pulumi:Stack", "test"))

    assert planned_changes(events) == []


def test_a_replaced_pool_is_a_loss_and_an_updated_one_is_not(tmp_path: Path) -> None:
    diff = {"nodeConfig.labels": {"diffKind": "update"}}
    updated, replaced = planned_changes(
        log(
            tmp_path,
            step("update", POOL, "a", detailedDiff=diff),
            step("create-replacement", POOL, "b"),
        )
    )

    assert not updated.loses_something_precious
    assert updated.properties == ("nodeConfig.labels",)
    assert replaced.loses_something_precious


def test_a_reason_covers_its_own_properties_and_no_others(tmp_path: Path) -> None:
    diff: dict[str, Any] = {"nodeConfig.labels": {}, "nodeConfig.spot": {}}
    (both,) = planned_changes(log(tmp_path, step("update", POOL, "a-nodes", detailedDiff=diff)))
    labels = ExplainedChange(
        operation="update",
        type=POOL,
        name="*-nodes",
        properties=("nodeConfig.labels*",),
        reason="for the sake of this test",
    )
    everything = labels.model_copy(update={"properties": ("nodeConfig.*",)})

    assert not labels.explains(both)
    assert everything.explains(both)
