"""A stand-in for the HTTP API of every Dask scheduler: the calls that operator and program make.

When a team shrinks, the operator asks the team's scheduler which workers may go (`POST
/api/v1/retire_workers`, distributed/http/scheduler/api.py) and deletes those; without an answer
it deletes none, and tries for ever. In mode ``place`` no scheduler runs, so this answers in its
place: the workers that came last go first, since all of them are idle here. Of a team with several
groups of workers the program itself says which (`GET /api/v1/get_workers`); their names stand for
addresses here.

Of an adaptive team the operator asks every five seconds how many workers its work needs (`GET
/api/v1/adaptive_target`): none here, so it keeps the declared minimum.

Before a blue-green rollout the program asks whether the old scheduler is idle (`GET
/api/v1/check_idle`). It is, unless an annotation on its Service says that it is at work.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any

from aiohttp import web

from rehearsal.dask_operator.cluster_dns import PORT_VARIABLE
from rehearsal.kubernetes_requests import KubernetesRequests, accept

LOOPBACK = "127.0.0.1"
SCHEDULER_SUFFIX = "-scheduler"
AT_WORK = "rehearsal.daskfleet/at-work"
"""Annotation of a scheduler's Service: while it is there, the scheduler is not idle."""

WORKER_LABELS = "dask.org/component=worker,dask.org/cluster-name={cluster}"


class DaskSchedulerApi(KubernetesRequests):
    """Serves the schedulers of one cluster; which one is meant stands in the Host header."""

    def __init__(self, admin_kubeconfig: Path, *, port: int) -> None:
        super().__init__(admin_kubeconfig)
        self._port = port
        self._runner: web.AppRunner | None = None

    async def start(self) -> Mapping[str, str]:
        """Serve on loopback; return the variables by which the operator's process finds it."""
        app = web.Application()
        app.router.add_post("/api/v1/retire_workers", self._retire_workers)
        app.router.add_get("/api/v1/adaptive_target", _adaptive_target)
        app.router.add_get("/api/v1/check_idle", self._check_idle)
        app.router.add_get("/api/v1/get_workers", self._get_workers)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, LOOPBACK, self._port)
        await site.start()
        return {PORT_VARIABLE: str(self._runner.addresses[0][1])}

    async def stop(self) -> None:
        """Stop serving."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _retire_workers(self, request: web.Request) -> web.Response:
        deployments = await self._deployments(request)
        asked = json.loads(await request.read())
        if not deployments:
            return web.json_response(
                {"error": f"no workers behind {request.host}"}, status=HTTPStatus.NOT_FOUND
            )
        there = {each["metadata"]["name"] for each in deployments}
        going = last_started(deployments, count=asked.get("n", 0))
        going += [name for name in asked.get("workers", ()) if name in there]
        return web.json_response({name: {"name": name} for name in going})

    async def _get_workers(self, request: web.Request) -> web.Response:
        names = [each["metadata"]["name"] for each in await self._deployments(request)]
        return web.json_response(
            {
                "num_workers": len(names),
                "workers": [{"name": name, "address": name} for name in names],
            }
        )

    async def _deployments(self, request: web.Request) -> Sequence[Mapping[str, Any]]:
        service, namespace = _who_is_asked(request)
        labels = WORKER_LABELS.format(cluster=service.removesuffix(SCHEDULER_SUFFIX))
        return await self._list(
            "deployments", version="apps/v1", namespace=namespace, labelSelector=labels
        )

    async def _check_idle(self, request: web.Request) -> web.Response:
        service, namespace = _who_is_asked(request)
        answer = await self._request("GET", f"services/{service}", namespace=namespace)
        accept(answer, HTTPStatus.NOT_FOUND)
        if not answer.is_success:
            return web.json_response({"error": f"no {request.host}"}, status=HTTPStatus.NOT_FOUND)
        metadata = answer.json()["metadata"]
        is_at_work = AT_WORK in metadata.get("annotations", {})
        # Nobody has sent it anything since it was made.
        made = datetime.fromisoformat(metadata["creationTimestamp"]).timestamp()
        return web.json_response({"idle_since": None if is_at_work else made})


async def _adaptive_target(_: web.Request) -> web.Response:
    return web.json_response({"workers": 0})


def _who_is_asked(request: web.Request) -> tuple[str, str]:
    """Return the Service and the namespace that the client called."""
    service, _, namespace = request.host.partition(":")[0].partition(".")
    return service, namespace


def last_started(deployments: Sequence[Mapping[str, Any]], *, count: int) -> list[str]:
    """Return the names of the ``count`` youngest Deployments: a worker is named after its own."""
    by_age = sorted(
        deployments, key=lambda d: (d["metadata"]["creationTimestamp"], d["metadata"]["name"])
    )
    return [d["metadata"]["name"] for d in by_age[len(by_age) - count :]]
