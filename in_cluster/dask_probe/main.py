"""One run of the probe: a request as JSON, facts as a line of JSON on standard output."""

import asyncio
import json
import logging
import os
import sys
import warnings
from typing import Any, TextIO

from distributed import Client, Security

from in_cluster.dask_probe import process_facts
from in_cluster.dask_probe.arithmetic import compute, compute_on_gpus
from in_cluster.dask_probe.bound_tasks import run_bound
from in_cluster.dask_probe.cluster import scheduler_facts, worker_facts
from in_cluster.dask_probe.graphs import NoSuchModuleError, Parcel, parcels, send
from in_cluster.dask_probe.raised import one_line, raised
from in_cluster.dask_probe.waiting import ended

CONNECT_TIMEOUT_S = 10
WAITS_THAT_ENDED = ("CancelledError", "TimeoutError")
"""Causes that say no more than that something was waited for."""

PROGRESS = "progress: "
"""Begins a line of standard error that people may see."""


def main(request_text: str) -> None:
    """Ask the cluster what the request says, and print what it answers."""
    answer = _own_output()
    # What is to be said of versions and broken connections is in the facts.
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    request = json.loads(request_text)
    try:
        contents = list(parcels(request["modules"]))
    except NoSuchModuleError as error:
        said: dict[str, Any] = {"refused": one_line(f"this client cannot import {error}")}
    else:
        said = {"facts": asyncio.run(_facts(request, contents))}
    # A line of its own, also where both streams are one and a library has begun one.
    answer.write(f"\n{json.dumps(said)}\n")
    answer.flush()


def _own_output() -> TextIO:
    """Keep standard output for the answer: libraries print to it what they like."""
    kept = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return kept


async def _facts(request: dict[str, Any], contents: list[Parcel]) -> dict[str, Any]:
    client_facts = {
        "client": json.loads(process_facts.facts()),
        "client_python": sys.executable,
    }
    _progress("connecting")
    client = Client(
        request["address"],
        asynchronous=True,
        timeout=CONNECT_TIMEOUT_S,
        set_as_default=False,
        security=_security(request["security"]),
    )
    connected = await ended(client, timeout_s=2 * CONNECT_TIMEOUT_S)
    if connected.is_overdue or connected.error is not None:
        await ended(client.close(), timeout_s=CONNECT_TIMEOUT_S)
        return {**client_facts, "connection_error": _why(connected.error)}
    try:
        return {**client_facts, **await _asked(client, request["resources"], contents)}
    finally:
        await ended(client.close(), timeout_s=CONNECT_TIMEOUT_S)


def _security(files: dict[str, str] | None) -> Security | None:
    """Show a certificate where there is one."""
    return Security(**files, require_encryption=True) if files else None


async def _asked(
    client: Client, resources: list[dict[str, float]], contents: list[Parcel]
) -> dict[str, Any]:
    _progress("asking scheduler and workers")
    scheduler = await scheduler_facts(client)
    workers = await worker_facts(client)
    answering = [each for each in workers if "error" not in each]
    _progress("sending task graphs")
    graphs = await send(client, contents, workers)
    _progress("running tasks that ask for resources")
    bound = [task for each in resources for task in await run_bound(client, each, workers)]
    _progress("computing")
    return {
        "scheduler": scheduler,
        "workers": workers,
        "graphs": graphs,
        "bound_tasks": bound,
        "computations": await compute(client, answering),
        "gpu_computations": await compute_on_gpus(client, answering),
    }


def _why(error: Exception | None) -> str:
    if error is None:
        return f"no answer within {2 * CONNECT_TIMEOUT_S} s"
    outermost, *causes = (
        f"{each['type']}: {each['message']}".rstrip(": ") for each in raised(error)
    )
    telling = [cause for cause in causes if not cause.startswith(WAITS_THAT_ENDED)]
    return f"{outermost}, caused by {telling[-1]}" if telling else outermost


def _progress(doing: str) -> None:
    sys.stderr.write(f"{PROGRESS}{doing}\n")
    sys.stderr.flush()
