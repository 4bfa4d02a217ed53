"""An API server of a few lines with a team's DaskClusters, and an operator like the real one."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import WSMsgType, web

from components.gates.readiness import HANDLER_PROGRESS, children_of
from in_cluster.idle_controller.note import NO_NOTE
from tests.components.cluster_objects import complete, deployment
from tests.components.gates.served_watches import Watches

KINDS = {"deployments": "Deployment", "services": "Service", "daskworkergroups": "DaskWorkerGroup"}


class Cluster:
    """A DaskCluster, and an operator that creates its objects when the phase becomes Created."""

    def __init__(
        self,
        name: str = "alpha",
        *,
        failures: int = 0,
        phase: str = "Pending",
        complete: bool = True,
    ) -> None:
        self.name = name
        self.failures = failures
        self.children = list(children_of(name)) if complete else []
        self.pods = list(self._all_pods()) if complete else []
        self.phases: list[str] = []
        self.exists = True
        self.idle: list[bool | None] = [True]
        """What its scheduler says at each look, the last again and again; None is no answer."""

        self.autoscaler: dict[str, Any] | None = None
        self.group: dict[str, Any] = {"spec": {"worker": {"replicas": 2}}}
        self.steps: list[tuple[str, str, Any]] = []
        """What was asked of autoscaler and group, in order."""
        self.note: dict[str, str | None] = {}
        """What the idle controller has noted of a group whose workers it let go."""

        self.refusal: str | None = None
        """Why the API server lets the Deployments of the workers make no pod."""

        self.looks_until_gone = 1
        """How often a deleted cluster is still seen, while its pods end."""

        self.document: dict[str, Any] = {
            "metadata": {"name": name, "annotations": {}},
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

    def write_group(self, patch: dict[str, Any]) -> None:
        """A merge patch of the worker group from the gate, which the operator follows."""
        assert patch["metadata"]["annotations"] == dict(NO_NOTE)
        assert patch["spec"]["worker"]["replicas"] == len(self._all_pods()) - 1
        self.note = {}
        self.pods = list(self._all_pods())

    def delete(self, options: dict[str, Any]) -> None:
        """A deletion from the gate; a real one is held up while the operator tries to create."""
        assert options == {"propagationPolicy": "Foreground"}
        self.document["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"

    def look(self) -> None:
        """Somebody reads the cluster; a deleted one is gone in the end."""
        is_held = self.document["status"]["phase"] == "Created"
        if "deletionTimestamp" in self.document["metadata"] and not is_held:
            self.exists = self.looks_until_gone > 0
            self.looks_until_gone -= 1

    def adapt(self, method: str, kind: str, change: Any) -> None:
        """A change of the autoscaler or of the group; ``change`` is a merge patch or nothing."""
        self.steps.append((method, kind, change))
        if method == "DELETE":
            self.autoscaler = None
        elif kind == "daskautoscalers":
            assert self.autoscaler is not None
            self.autoscaler["spec"] |= change["spec"]
        else:
            self.group |= change

    def is_idle(self) -> bool | None:
        """What the scheduler says to the next who asks."""
        return self.idle.pop(0) if len(self.idle) > 1 else self.idle[0]

    def _create(self) -> None:
        if self.failures > 0:
            self.failures -= 1
            note = json.dumps({"message": "deployments.apps is forbidden"})
            self.document["metadata"]["annotations"][HANDLER_PROGRESS] = note
        else:
            self.children = list(children_of(self.name))
            self.pods = list(self._all_pods())
            self.document["status"]["phase"] = "Pending"

    @staticmethod
    def _all_pods() -> tuple[dict[str, Any], ...]:
        return complete()


class Namespace:
    """The clusters of a team, and its Service."""

    def __init__(self, *clusters: Cluster, selected: str | None = None) -> None:
        self.clusters = {cluster.name: cluster for cluster in clusters}
        self.selected = selected
        self.busy_requests = 0
        """How many requests are yet to be turned away as the API server does when it starts."""

        self.watches = Watches()
        self.looks = 0
        """How often a DaskCluster was read."""

    @property
    def names(self) -> set[str]:
        """The clusters that exist."""
        return {cluster.name for cluster in self.clusters.values() if cluster.exists}


@asynccontextmanager
async def served(namespace: Namespace) -> AsyncIterator[dict[str, Any]]:
    """The namespace behind HTTP, as a kubeconfig."""
    handlers = _Handlers(namespace)
    app = web.Application(middlewares=[handlers.turn_away])
    app.router.add_get("/version/", handlers.version)
    in_namespace = "/apis/kubernetes.dask.org/v1/namespaces/alpha"
    dask = f"{in_namespace}/daskclusters"
    app.router.add_get(dask, handlers.clusters)
    app.router.add_route("*", f"{dask}/{{name}}", handlers.cluster)
    group = f"{in_namespace}/daskworkergroups/{{name}}"
    app.router.add_get(group, handlers.adaptive("daskworkergroups"))
    app.router.add_patch(group, handlers.group)
    path = f"{in_namespace}/daskautoscalers/{{name}}"
    app.router.add_route("*", path, handlers.adaptive("daskautoscalers"))
    app.router.add_get("/api/v1/namespaces/alpha/services/dask", handlers.service)
    app.router.add_get("/api/v1/namespaces/alpha/pods/{pod}/portforward", handlers.scheduler)
    app.router.add_get("/{api:.*}/namespaces/alpha/{kind}", handlers.objects)
    # A watch ends when its client goes, and not at the end of the time that cleaning up has.
    runner = web.AppRunner(app, handler_cancellation=True)
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


class _Handlers:
    def __init__(self, namespace: Namespace) -> None:
        self._namespace = namespace

    @web.middleware
    async def turn_away(self, request: web.Request, handler: Any) -> web.StreamResponse:
        if self._namespace.busy_requests > 0 and request.path != "/version/":
            self._namespace.busy_requests -= 1
            return web.json_response({"message": "storage is (re)initializing"}, status=429)
        response: web.StreamResponse = await handler(request)
        if "watch" in request.query:
            assert isinstance(response, web.Response)
            return await self._namespace.watches.serve(request, of=response)
        if request.method != "GET":
            self._namespace.watches.tell()
        return response

    async def version(self, _: web.Request) -> web.Response:
        return web.json_response({"major": "1", "minor": "36", "gitVersion": "v1.36.0"})

    async def clusters(self, request: web.Request) -> web.Response:
        assert request.query["labelSelector"] == "app.kubernetes.io/part-of=daskfleet"
        found = [c.document for c in self._namespace.clusters.values() if c.exists]
        return web.json_response({"items": found})

    async def cluster(self, request: web.Request) -> web.Response:
        self._namespace.looks += request.method == "GET"
        cluster = self._namespace.clusters.get(request.match_info["name"])
        if cluster is not None:
            cluster.look()
        if cluster is None or not cluster.exists:
            return not_found()
        if request.method == "PATCH":
            cluster.write(await request.json())
        if request.method == "DELETE":
            cluster.delete(await request.json())
        return web.json_response(cluster.document)

    def adaptive(self, kind: str) -> Any:
        """What answers about the autoscaler of a cluster, or about its group."""

        async def answer(request: web.Request) -> web.Response:
            name = request.match_info["name"].removesuffix("-default")
            cluster = self._namespace.clusters[name]
            if request.method != "GET":
                change = await request.json() if request.method == "PATCH" else None
                cluster.adapt(request.method, kind, change)
            return web.json_response(cluster.group)

        return answer

    async def group(self, request: web.Request) -> web.Response:
        cluster = self._namespace.clusters[request.match_info["name"].removesuffix("-default")]
        patch = await request.json()
        if "metadata" in patch:
            cluster.write_group(patch)
        else:
            cluster.adapt("PATCH", "daskworkergroups", patch)
        return web.json_response({})

    async def service(self, _: web.Request) -> web.Response:
        if self._namespace.selected is None:
            return not_found()
        selector = {"dask.org/cluster-name": self._namespace.selected}
        return web.json_response({"spec": {"selector": selector}})

    async def objects(self, request: web.Request) -> web.Response:
        kind = request.match_info["kind"]
        if kind == "events":
            return web.json_response({"items": []})
        labels = dict(part.split("=") for part in request.query["labelSelector"].split(","))
        cluster = self._namespace.clusters[labels.pop("dask.org/cluster-name")]
        if kind == "daskautoscalers":
            assert labels == {"app.kubernetes.io/part-of": "daskfleet"}
            return web.json_response({"items": [cluster.autoscaler] if cluster.autoscaler else []})
        if kind == "pods":
            return web.json_response(
                {
                    "items": [
                        p for p in cluster.pods if labels.items() <= p["metadata"]["labels"].items()
                    ]
                }
            )
        if kind == "deployments" and cluster.refusal:
            refused = deployment("worker", refusal=cluster.refusal)
            scheduler = {"metadata": {"name": f"{cluster.name}-scheduler"}}
            return web.json_response({"items": [scheduler, refused]})
        if kind == "daskworkergroups" and cluster.note:
            group = {"name": f"{cluster.name}-default", "annotations": cluster.note}
            return web.json_response(
                {"items": [{"metadata": group, "spec": {"worker": {"replicas": 0}}}]}
            )
        prefix = f"{KINDS[kind]}/"
        names = [child.removeprefix(prefix) for child in cluster.children if prefix in child]
        return web.json_response({"items": [{"metadata": {"name": name}} for name in names]})

    async def scheduler(self, request: web.Request) -> web.StreamResponse:
        """A scheduler's HTTP, as the kubelet forwards it: frames that begin with a channel."""
        assert request.query["ports"] == "8787"
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        for channel in (0, 1):
            await socket.send_bytes(bytes([channel]) + (8787).to_bytes(2, "little"))
        sent = b""
        while not sent.endswith(b"\r\n\r\n"):
            message = await socket.receive()
            assert message.type == WSMsgType.BINARY
            assert message.data[0] == 0
            sent += message.data[1:]
        host = next(line for line in sent.decode().split("\r\n") if line.startswith("Host: "))
        name = host.removeprefix("Host: ").removesuffix("-scheduler.alpha:8787")
        idle = self._namespace.clusters[name].is_idle()
        if idle is None:
            await socket.send_bytes(b"\x01connection refused")
        else:
            body = json.dumps({"idle_since": 1.5 if idle else None}).encode()
            head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            await socket.send_bytes(b"\x00" + head)
            await socket.send_bytes(b"\x00" + body)
        await socket.close()
        return socket


def not_found() -> web.Response:
    """What the API server says of an object that does not exist."""
    return web.json_response({"kind": "Status", "message": "not found"}, status=404)
