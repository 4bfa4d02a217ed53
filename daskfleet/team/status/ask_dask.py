"""What a scheduler says of itself: one page of JSON, of which only numbers are taken."""

import json
from typing import Annotated

import kr8s.asyncio
from pydantic import BaseModel, Field, ValidationError

from daskfleet.access.pod_http import UnansweredError, fetch
from daskfleet.team.status.model import DaskStatus

PATH = "/json/counts.json"
"""distributed, ``http/scheduler/json.py``. Not ``/metrics``, which needs ``prometheus_client`` in
the image, and forgets its maxima whenever it is read."""

MOST_BYTES = 64 * 1024
OWN_CLIENTS = 1
"""The scheduler counts itself, for ``fire_and_forget``."""

Count = Annotated[int, Field(ge=0, le=10**12)]


class Counts(BaseModel):
    """The page, as distributed writes it; it has more."""

    clients: Count
    workers: Count
    desired_workers: Count
    tasks: Count
    processing: Count
    waiting: Count
    unrunnable: Count
    memory: Count
    """Results that workers hold, each copy counted."""
    released: Count
    erred: Count


async def ask_dask(api: kr8s.asyncio.Api, *, namespace: str, pod: str, port: int) -> DaskStatus:
    """Ask the scheduler in a pod.

    Raises:
        UnansweredError: it gives no answer that can be used.

    """
    url = f"http://127.0.0.1:{port}{PATH}"
    page = await fetch(api, namespace=namespace, pod=pod, url=url, most_bytes=MOST_BYTES)
    return dask_status(page)


def dask_status(page: bytes) -> DaskStatus:
    """Pure: read the page.

    Raises:
        UnansweredError: it is not what distributed writes.

    """
    try:
        counts = Counts.model_validate(json.loads(page), strict=True)
    except (ValidationError, ValueError, RecursionError) as error:
        raise UnansweredError(f"{PATH} is not what Dask writes") from error
    elsewhere = (
        counts.processing
        + counts.waiting
        + counts.unrunnable
        + counts.memory
        + counts.released
        + counts.erred
    )
    return DaskStatus(
        clients=max(0, counts.clients - OWN_CLIENTS),
        workers=counts.workers,
        desired_workers=counts.desired_workers,
        tasks=counts.tasks,
        processing=counts.processing,
        queued=max(0, counts.tasks - elsewhere),
        unrunnable=counts.unrunnable,
        erred=counts.erred,
    )
