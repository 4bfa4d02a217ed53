"""The cluster as the probe talks to it."""

import json
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from distributed import Client

from in_cluster.dask_probe import process_facts, task_states
from in_cluster.dask_probe.raised import raised
from in_cluster.dask_probe.remote import call
from in_cluster.dask_probe.waiting import Ended, all_ended, ended

ANSWER_TIMEOUT_S = 10
"""Scheduler and workers answer between two tasks, and import CUDA's libraries for it."""

NO_ANSWER = f"no answer within {ANSWER_TIMEOUT_S} s"


async def scheduler_facts(client: Client) -> dict[str, Any]:
    """Ask the scheduler about itself."""
    said = await _on_scheduler(client, process_facts, "scheduler_facts")
    return {"error": said} if isinstance(said, str) else {"process": said}


async def worker_facts(client: Client) -> list[dict[str, Any]]:
    """Ask all workers about themselves; one that does not answer has an error."""
    connected = await ended(client.nthreads(), timeout_s=ANSWER_TIMEOUT_S)
    addresses = sorted(connected.result or ())
    answers = await _on_workers(client, addresses, "worker_facts")
    said = [
        {"address": address, **_worker(answer)}
        for address, answer in zip(addresses, answers, strict=True)
    ]
    return sorted(said, key=lambda each: str(each.get("name", "")))


async def missing_modules(
    client: Client, modules: Sequence[str], workers: Sequence[Mapping[str, Any]]
) -> dict[str, list[str]]:
    """Return, by module, the addresses of the workers that cannot import it."""
    if not modules:
        return {}
    answering = [each["address"] for each in workers if "error" not in each]
    answers = await _on_workers(client, answering, "missing_modules", *modules)
    missing = {
        address: json.loads(answer.result)
        for address, answer in zip(answering, answers, strict=True)
        if answer.result is not None
    }
    return {name: [each for each in missing if name in missing[each]] for name in modules}


async def _on_workers(
    client: Client, addresses: Sequence[str], function: str, *arguments: str
) -> list[Ended]:
    """Ask each by itself: one that hangs would keep the answers of all."""

    async def answer_of(address: str) -> Any:
        asked = call(process_facts, function, *arguments)
        return (await client.run(eval, *asked, workers=[address]))[address]

    return await all_ended(
        [answer_of(address) for address in addresses], timeout_s=ANSWER_TIMEOUT_S
    )


def _worker(answer: Ended) -> dict[str, Any]:
    if answer.is_overdue:
        return {"error": NO_ANSWER}
    if answer.error is not None:
        return {"error": _words(answer.error)}
    said: dict[str, Any] = json.loads(answer.result)
    return said


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
        return NO_ANSWER
    if answer.error is not None:
        return _words(answer.error)
    said: dict[str, Any] = json.loads(answer.result)
    return said


def _words(error: Exception) -> str:
    return "; ".join(f"{each['type']}: {each['message']}" for each in raised(error))
