"""Pure: what the log of a pod that has asked Dask comes to."""

from collections.abc import Mapping
from typing import Any

from daskfleet.team.verify.collect.probe_answer import (
    MOST_BYTES,
    PROGRESS,
    UnreadableError,
    read_answer,
    unreadable,
)
from daskfleet.team.verify.facts import DaskFacts
from daskfleet.visible import in_short

LONGEST_LINE = 200
"""Characters of what a failed client said last."""


def facts_of(pod: Mapping[str, Any], log: bytes, image: str) -> DaskFacts:
    """Read the document, which is the log's last line that may be one.

    The pod has ended, and its log is a byte longer than is allowed where it is longer than that.
    """
    if len(log) > MOST_BYTES:
        why = f"it is longer than {MOST_BYTES // 2**20} MiB"
        return unreadable(why, client_python=image)
    lines = log.splitlines()
    document = next((line for line in reversed(lines) if line.startswith(b"{")), b"")
    if pod["status"]["phase"] != "Succeeded" or not document:
        return unreadable(f"{_how_it_ended(pod)}{_last_words(lines)}", client_python=image)
    try:
        answer = read_answer(document)
    except UnreadableError as error:
        return unreadable(str(error), client_python=image)
    if answer.refused:
        why = f"in the team's image ({image}) {answer.refused}: the module must be in the image"
        return DaskFacts.unasked(client_python=image, why=why)
    return answer.facts or unreadable("it has no facts", client_python=image)


def _how_it_ended(pod: Mapping[str, Any]) -> str:
    for status in pod["status"].get("containerStatuses") or []:
        if ended := (status.get("state") or {}).get("terminated"):
            reason = in_short(ended.get("reason", ""), LONGEST_LINE)
            return f"the pod that asks ended with status {ended.get('exitCode')} ({reason})"
    return f"the pod that asks {pod['status']['phase'].lower()}"


def _last_words(lines: list[bytes]) -> str:
    said = [line.decode(errors="replace") for line in lines if line.strip()]
    told = [line for line in said if not PROGRESS.fullmatch(line)]
    return f": {in_short(told[-1], LONGEST_LINE)}" if told else ""
