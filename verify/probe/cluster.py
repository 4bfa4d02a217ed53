"""The cluster as the probe talks to it."""

import json
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from distributed import Client

from verify.probe import process_facts, task_states
from verify.probe.raised import raised
from verify.probe.remote import call
from verify.probe.waiting import ended

ANSWER_TIMEOUT_S = 10
"""Scheduler and workers answer between two tasks, and import CUDA's libraries for it."""


async def scheduler_facts(client: Client) -> dict[str, Any]:
    """Ask the scheduler about itself."""
    said = await _on_scheduler(client, process_facts, "scheduler_facts")
    return {"error": said} if isinstance(said, str) else {"process": said}


async def worker_facts(client: Client) -> list[dict[str, Any]]:
    """Ask all workers about themselves; one that does not answer has an error."""
    asked = client.run(eval, *call(process_facts, "worker_facts"), on_error="return")
    answers = await ended(asked, timeout_s=ANSWER_TIMEOUT_S)
    if answers.result is None:
        why = _words(answers.error) if answers.error else f"no answer within {ANSWER_TIMEOUT_S} s"
        return [{"address": address, "error": why} for address in await _workers(client)]
    return [
        {"address": address, "error": _words(answer)}
        if isinstance(answer, Exception)
        else {"address": address, **json.loads(answer)}
        for address, answer in sorted(answers.result.items())
    ]


async def states_of(client: Client, keys: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Ask the scheduler about tasks; it may not know them, or not answer."""
    said = await _on_scheduler(client, task_states, "states", *keys)
    return {} if isinstance(said, str) else said


async def _on_scheduler(
    client: Client, module: ModuleType, function: str, *arguments: str
) -> dict[str, Any] | str:
    asked = client.run_on_scheduler(eval, *call(module, function, *arguments))
    answer = await ended(asked, timeout_s=ANSWER_TIMEOUT_S)
    if answer.is_overdue:
        return f"no answer within {ANSWER_TIMEOUT_S} s"
    if answer.error is not None:
        return _words(answer.error)
    said: dict[str, Any] = json.loads(answer.result)
    return said


async def _workers(client: Client) -> list[str]:
    """Return the addresses that the scheduler has, without asking the workers."""
    threads = await ended(client.nthreads(), timeout_s=ANSWER_TIMEOUT_S)
    return sorted(threads.result or ())


def _words(error: Exception) -> str:
    return "; ".join(f"{each['type']}: {each['message']}" for each in raised(error))
