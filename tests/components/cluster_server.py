"""An API server of a few lines that holds one DaskCluster, with an operator like the real one."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from components.readiness import HANDLER_PROGRESS, children_of
from tests.components.cluster_objects import complete

KINDS = {"deployments": "Deployment", "services": "Service", "daskworkergroups": "DaskWorkerGroup"}


class Cluster:
    """A DaskCluster, and an operator that creates its objects when the phase becomes Created."""

    def __init__(self, *, failures: int = 0, phase: str = "Pending", complete: bool = True) -> None:
        self.failures = failures
        self.children = list(children_of("alpha")) if complete else []
        self.pods = list(self._all_pods()) if complete else []
        self.phases: list[str] = []
        self.exists = True
        self.busy_requests = 0
        """How many requests are yet to be turned away as the API server does when it starts."""

        self.document: dict[str, Any] = {
            "metadata": {"name": "alpha", "annotations": {}},
            "status": {"phase": phase},
        }
        if phase == "Created":
            self._create()

    def write(self, patch: dict[str, Any]) -> None:
        """A merge patch from the gate."""
        phase = patch["status"]["phase"]
        self.phases.append(phase)
        self.document["status"]["phase"] = phase
        for key, value in patch["metadata"]["annotations"].items():
            assert value is None
            self.document["metadata"]["annotations"].pop(key, None)
        if phase == "Created":
            self._create()

    def _create(self) -> None:
        if self.failures > 0:
            self.failures -= 1
            note = json.dumps({"message": "deployments.apps is forbidden"})
            self.document["metadata"]["annotations"][HANDLER_PROGRESS] = note
        else:
            self.children = list(children_of("alpha"))
            self.pods = list(self._all_pods())
            self.document["status"]["phase"] = "Pending"

    @staticmethod
    def _all_pods() -> tuple[dict[str, Any], ...]:
        return complete()


@asynccontextmanager
async def served(cluster: Cluster) -> AsyncIterator[dict[str, Any]]:
    """The cluster behind HTTP, as a kubeconfig."""

    async def version(_: web.Request) -> web.Response:
        return web.json_response({"major": "1", "minor": "36", "gitVersion": "v1.36.0"})

    async def one(request: web.Request) -> web.Response:
        if cluster.busy_requests > 0:
            cluster.busy_requests -= 1
            return web.json_response({"message": "storage is (re)initializing"}, status=429)
        if not cluster.exists:
            return web.json_response({"kind": "Status", "message": "not found"}, status=404)
        if request.method == "PATCH":
            cluster.write(await request.json())
        return web.json_response(cluster.document)

    async def many(request: web.Request) -> web.Response:
        kind = request.match_info["kind"]
        if kind == "pods":
            return web.json_response({"items": cluster.pods})
        prefix = f"{KINDS.get(kind)}/"
        names = [child.removeprefix(prefix) for child in cluster.children if prefix in child]
        return web.json_response({"items": [{"metadata": {"name": name}} for name in names]})

    app = web.Application()
    app.router.add_get("/version/", version)
    app.router.add_route(
        "*", "/apis/kubernetes.dask.org/v1/namespaces/alpha/daskclusters/alpha", one
    )
    app.router.add_get("/{api:.*}/namespaces/alpha/{kind}", many)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    try:
        yield {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "c", "cluster": {"server": f"http://127.0.0.1:{port}"}}],
            "users": [{"name": "u", "user": {"token": "t"}}],
            "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
            "current-context": "x",
        }
    finally:
        await runner.cleanup()
