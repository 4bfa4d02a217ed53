"""A stand-in for the HTTP API of every Dask scheduler: the one call that the operator makes.

When a team shrinks, the operator asks the team's scheduler which workers may go (`POST
/api/v1/retire_workers`, distributed/http/scheduler/api.py) and deletes those; without an answer
it deletes none, and tries for ever. kwok runs no scheduler, so this answers in its place: the
workers that came last go first, since all of them are idle here.
"""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any

from aiohttp import web

from rehearsal.kubernetes_client import connect

LOOPBACK = "127.0.0.1"
SCHEDULER_SUFFIX = "-scheduler"
WORKER_LABELS = "dask.org/component=worker,dask.org/cluster-name={cluster}"


class DaskSchedulerApi:
    """Serves the schedulers of one cluster; which one is meant stands in the Host header."""

    def __init__(self, admin_kubeconfig: Path) -> None:
        app = web.Application()
        app.router.add_post("/api/v1/retire_workers", self._retire_workers)
        self._kubeconfig = admin_kubeconfig
        self._runner = web.AppRunner(app, access_log=None)

    async def start(self) -> int:
        """Serve on a free loopback port, and return it."""
        await self._runner.setup()
        site = web.TCPSite(self._runner, LOOPBACK, 0)
        await site.start()
        return int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        """Stop serving."""
        await self._runner.cleanup()

    async def _retire_workers(self, request: web.Request) -> web.Response:
        service, _, namespace = request.host.partition(":")[0].partition(".")
        api = await connect(self._kubeconfig)
        labels = WORKER_LABELS.format(cluster=service.removesuffix(SCHEDULER_SUFFIX))
        found = api.async_get("deployments", namespace=namespace, label_selector=labels)
        deployments = [item.raw async for item in found if not isinstance(item, dict)]
        wanted = json.loads(await request.read()).get("n", 0)
        if not deployments:
            return web.json_response(
                {"error": f"no workers behind {request.host}"}, status=HTTPStatus.NOT_FOUND
            )
        return web.json_response(
            {name: {"name": name} for name in last_started(deployments, count=wanted)}
        )


def last_started(deployments: Sequence[Mapping[str, Any]], *, count: int) -> list[str]:
    """Return the names of the ``count`` youngest Deployments: a worker is named after its own."""
    by_age = sorted(
        deployments, key=lambda d: (d["metadata"]["creationTimestamp"], d["metadata"]["name"])
    )
    return [d["metadata"]["name"] for d in by_age[len(by_age) - count :]]
