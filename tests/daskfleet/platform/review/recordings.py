"""Recorded event streams (recorded/README.md), and how one is made short enough to keep.

``python -m tests.daskfleet.platform.review.recordings RAW.jsonl NAME`` keeps a stream that
an engine wrote.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from daskfleet.platform.review.model import Preview
from daskfleet.platform.review.read import read_preview

RECORDED = Path(__file__).parent / "recorded"
STATE_KEYS = ("custom", "delete", "id", "inputs", "parent", "protect")
METADATA_KEYS = ("op", "urn", "type", "old", "new", "keys", "diffs", "detailedDiff", "provider")
OUTPUTS_READ = ("cost", "id", "name", "selfLink")


def stream(name: str) -> list[str]:
    """The lines of a recording."""
    return (RECORDED / f"{name}.jsonl").read_text("utf-8").splitlines(keepends=True)


def recorded(name: str) -> Preview:
    """A recording, read."""
    return read_preview(stream(name))


def shortened(lines: Iterable[str]) -> Iterator[str]:
    """A stream without what no review reads, and else as the engine wrote it."""
    for line in lines:
        event = json.loads(line)
        if event.get("diagnosticEvent", {}).get("severity") == "debug":
            continue
        if "policyAnalyzeSummaryEvent" in event or "policyRemediateSummaryEvent" in event:
            continue
        if "resOutputsEvent" in event and event["resOutputsEvent"]["metadata"]["op"] != "refresh":
            continue
        if "preludeEvent" in event:
            event["preludeEvent"]["config"] = {}
        if "policyRemediationEvent" in event:
            _shorten_correction(event["policyRemediationEvent"])
        for kind in ("resourcePreEvent", "resOutputsEvent", "resOpFailedEvent"):
            if kind in event:
                event[kind]["metadata"] = _metadata(event[kind]["metadata"])
        text = json.dumps(event, separators=(",", ":")).replace(str(Path.home()), "/home/user")
        yield f"{text}\n"


def _shorten_correction(event: dict[str, Any]) -> None:
    before, after = event["before"], event["after"]
    same = [key for key in before if before[key] == after.get(key)]
    for key in same:
        del before[key], after[key]


def _metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    kept = {key: metadata[key] for key in METADATA_KEYS if key in metadata}
    is_changed = metadata["op"] in {"update", "replace", "create-replacement", "refresh"}
    for side in ("old", "new"):
        if state := kept.get(side):
            keys = STATE_KEYS if is_changed else ("custom", "delete", "parent", "protect")
            kept[side] = {key: state[key] for key in keys if state.get(key)}
            if outputs := _read_outputs(state.get("outputs") or {}):
                kept[side]["outputs"] = outputs
    return kept


def _read_outputs(outputs: dict[str, Any]) -> dict[str, Any]:
    return {key: outputs[key] for key in OUTPUTS_READ if outputs.get(key)}


if __name__ == "__main__":
    raw, name = sys.argv[1:]
    short = shortened(Path(raw).read_text("utf-8").splitlines())
    (RECORDED / f"{name}.jsonl").write_text("".join(short), encoding="utf-8")
