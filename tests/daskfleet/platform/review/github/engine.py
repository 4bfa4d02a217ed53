"""Events as the engine writes them, as few as a review needs, and the stack file beside them."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

STACK_FILE = """\
config:
  daskfleet:project: my-project
  daskfleet:teams:
    - name: fraud
      workers: 2
"""
POOL = "gcp:container/nodePool:NodePool"


def write_found(
    folder: Path, *events: dict[str, Any], stack: str = "prod", result: str = "succeeded"
) -> Path:
    """Write what a run leaves; with no events, one that changes nothing."""
    folder.mkdir(exist_ok=True)
    root = _step("same", "pulumi:pulumi:Stack", f"daskfleet-{stack}", stack)
    told = [root, *events]
    counts = Counter(each["resourcePreEvent"]["metadata"]["op"] for each in told)
    told.append(_summary(result, counts))
    (folder / "events.jsonl").write_text("".join(f"{json.dumps(event)}\n" for event in told))
    (folder / "stack.yaml").write_text(STACK_FILE)
    return folder


def pool_replaced(stack: str = "prod") -> dict[str, Any]:
    """Replace a pool, for its machine type."""
    return _step("replace", POOL, "rapids-gpu-a100", stack, keys=["nodeConfig.machineType"])


def _summary(result: str, counts: Counter[str]) -> dict[str, Any]:
    return {
        "sequence": 99,
        "timestamp": 0,
        "summaryEvent": {
            "durationSeconds": 3,
            "resourceChanges": dict(counts),
            "isPreview": True,
            "result": result,
        },
    }


def _step(
    operation: str, type_: str, name: str, stack: str, keys: list[str] | None = None
) -> dict[str, Any]:
    urn = f"urn:pulumi:{stack}::daskfleet::{type_}::{name}"
    state = {"type": type_, "urn": urn, "custom": type_ == POOL, "inputs": {}, "outputs": {}}
    diff = {key: {"diffKind": "update-replace", "inputDiff": True} for key in keys or []}
    metadata = {
        "op": operation,
        "urn": urn,
        "type": type_,
        "old": state,
        "new": state,
        "keys": keys or [],
        "diffs": keys or [],
        "detailedDiff": diff,
        "logical": True,
        "provider": "",
    }
    return {"sequence": 1, "timestamp": 0, "resourcePreEvent": {"metadata": metadata}}
