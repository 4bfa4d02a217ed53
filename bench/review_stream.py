"""The event stream of a preview of many resources, each as large as those of a real fleet."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from daskfleet.platform.review.account import COUNTED

Change = Literal["none", "image", "everything"]
"""What the preview finds: nothing, another image for every team, or a change of every resource."""

RESOURCES_PER_TEAM = 11
"""As stack files of teams have them: bench/README.md, preview."""

LINE_KB = 4.7
"""Of an event with old and new state, on the rehearsal's fleet: 540 KB in 116 lines."""

_HEAD = "urn:pulumi:bench::daskfleet"
_STACK = f"{_HEAD}::pulumi:pulumi:Stack::daskfleet-bench"
_DASK_CLUSTER = "kubernetes:kubernetes.dask.org/v1:DaskCluster"
_OBJECT = "kubernetes:networking.k8s.io/v1:NetworkPolicy"
_PROVIDER = f"{_HEAD}::pulumi:providers:kubernetes::kubernetes-provider::0123"
_RULES = 26
"""Parts of an object, as many as make an event as long as it is."""


def write_stream(file: Path, *, resources: int, change: Change) -> None:
    """Write the events of one preview."""
    with file.open("w", encoding="utf-8") as stream:
        for number, event in enumerate(_events(resources, change)):
            line = json.dumps({"sequence": number, "timestamp": 0, **event}, separators=(",", ":"))
            stream.write(f"{line}\n")


def _events(resources: int, change: Change) -> Iterator[dict[str, Any]]:
    yield {"preludeEvent": {"config": {}}}
    counts: Counter[str] = Counter()
    for number in range(resources):
        team = f"team-{number // RESOURCES_PER_TEAM:03}"
        is_cluster = number % RESOURCES_PER_TEAM == 0
        for metadata in _steps(number, team, change, is_cluster=is_cluster):
            counts[metadata["op"]] += metadata["op"] in COUNTED
            yield {"resourcePreEvent": {"metadata": metadata, "planning": True}}
            yield {"resOutputsEvent": {"metadata": metadata, "planning": True}}
    changes = {operation: count for operation, count in counts.items() if count}
    summary = {"durationSeconds": 60, "resourceChanges": changes, "result": "succeeded"}
    yield {"summaryEvent": summary}
    yield {"cancelEvent": {}}


def _steps(number: int, team: str, change: Change, *, is_cluster: bool) -> Iterator[dict[str, Any]]:
    kind, owner = (_DASK_CLUSTER, "DaskCluster") if is_cluster else (_OBJECT, "Team")
    parent = f"{_HEAD}::daskfleet:dask:{owner}::{team}"
    base = {
        "urn": f"{_HEAD}::daskfleet:dask:{owner}${kind}::{team}-{number}",
        "type": kind,
        "provider": _PROVIDER,
        "detailedDiff": None,
    }
    old, new = _state(parent, "26.08"), _state(parent, "26.10")
    if change == "none" or (change == "image" and not is_cluster):
        yield {**base, "op": "same", "old": old, "new": old}
    elif is_cluster:
        paths = [f"spec.{part}.spec.containers[0].image" for part in ("scheduler", "worker")]
        detailed = {path: {"diffKind": "update-replace", "inputDiff": True} for path in paths}
        yield {**base, "op": "delete-replaced", "old": old, "new": None}
        yield {**base, "op": "replace", "old": old, "new": new, "detailedDiff": detailed}
        yield {**base, "op": "create-replacement", "old": old, "new": new, "detailedDiff": detailed}
    else:
        detailed = {"metadata.labels.release": {"diffKind": "update", "inputDiff": True}}
        yield {**base, "op": "update", "old": old, "new": new, "detailedDiff": detailed}


def _state(parent: str, release: str) -> dict[str, Any]:
    pod = {"spec": {"containers": [{"name": "dask", "image": f"rapids:{release}"}]}}
    rules = [{"port": port, "to": "10.0.0.0/8"} for port in range(8000, 8000 + _RULES)]
    inputs = {
        "metadata": {"labels": {"release": release}},
        "spec": {"scheduler": pod, "worker": pod, "rules": rules},
    }
    return {"custom": True, "parent": parent, "id": "x", "inputs": inputs, "outputs": inputs}
