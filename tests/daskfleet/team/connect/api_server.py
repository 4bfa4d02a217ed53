"""An API server of a few lines: a team's Service, its pods, and ports of them that answer."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from aiohttp import WSMsgType, web

NAMESPACE = "/api/v1/namespaces/fraud"
DASK = "/apis/kubernetes.dask.org/v1/namespaces/fraud"
GROUPS = "/apis/kubernetes.dask.org/v1/namespaces/fraud/daskworkergroups"
REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"


class Pod:
    """A pod whose ports say its name, and then repeat what they hear."""

    def __init__(self, name: str, *, cluster: str = "fraud", is_ready: bool = True) -> None:
        self.name = name
        self.labels = {"dask.org/cluster-name": cluster}
        self.is_ready = is_ready
        self.leads_to: dict[int, int] = {}
        """Port of this machine by the pod's own; where there is one, it answers instead."""
        self.refuses = False
        """Nothing listens in it, as while its process starts again."""

    @property
    def document(self) -> dict[str, Any]:
        """The pod as the API server has it."""
        ready = {"type": "Ready", "status": str(self.is_ready)}
        return {
            "metadata": {
                "name": self.name,
                "labels": self.labels,
                "creationTimestamp": "2026-01-01T00:00:00Z",
            },
            "status": {"phase": "Running", "conditions": [ready]},
        }


class Namespace:
    """What is there; tests change it while it is served."""

    def __init__(self, *pods: Pod) -> None:
        self.pods = {pod.name: pod for pod in pods}
        self.selected: str | None = "fraud"
        """DaskCluster that the Service leads to; None: there is no Service."""

        self.sockets: set[web.WebSocketResponse] = set()
        self.notice = ""
        """What its ConfigMap ``daskfleet`` says."""

        self.notice_status = 200
        self.secrets: dict[str, dict[str, str]] = {}
        """Data of each, in base64 as Kubernetes has it."""
        self.sleep: dict[str, str] = {}
        """Annotations of its worker group, which has no replicas while there are some."""

        self.template = ""
        """What its ConfigMap ``dask-cluster-spec`` says."""

        self.own: dict[str, Any] = {}
        """DaskClusters that were made, by name; a Service leads to pods of each."""

        self.asked: list[tuple[str, str, Any]] = []
        """What was written of Dask's kinds: method, path below the namespace, and document."""

        self.refusal = ""
        """Why no DaskCluster may be made."""

        self.refusals = 0
        self.expired_tokens = 0
        """How many more looks are turned away because of their token."""

    async def drop_connections(self) -> None:
        """End what is forwarded, without a word, as a load balancer's timeout does."""
        for socket in tuple(self.sockets):
            with suppress(ConnectionError):
                await socket.close()


@asynccontextmanager
async def served(namespace: Namespace, port: int = 0) -> AsyncIterator[dict[str, Any]]:
    """The namespace behind HTTP, as a kubeconfig."""
    handlers = _Handlers(namespace)
    app = web.Application()
    app.router.add_get("/version", handlers.version)
    app.router.add_get("/version/", handlers.version)
    app.router.add_get(f"{NAMESPACE}/services/dask", handlers.service)
    app.router.add_get(f"{NAMESPACE}/configmaps/daskfleet", handlers.notice)
    app.router.add_get(f"{NAMESPACE}/services/{{name}}-scheduler", handlers.own_service)
    app.router.add_get(f"{NAMESPACE}/configmaps/dask-cluster-spec", handlers.template)
    app.router.add_get(f"{NAMESPACE}/secrets/{{secret}}", handlers.secret)
    app.router.add_get(f"{GROUPS}/{{group}}", handlers.group)
    for method in ("POST", "PATCH", "DELETE"):
        app.router.add_route(method, f"{DASK}/{{path:.*}}", handlers.write)
    app.router.add_post(REVIEWS, handlers.review)
    app.router.add_get(f"{NAMESPACE}/pods", handlers.pods)
    app.router.add_get(f"{NAMESPACE}/pods/{{pod}}/portforward", handlers.forward)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    server = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "c", "cluster": {"server": server}}],
            "users": [{"name": "u", "user": {"token": "t"}}],
            "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
            "current-context": "x",
        }
    finally:
        await namespace.drop_connections()
        await runner.cleanup()


class _Handlers:
    def __init__(self, namespace: Namespace) -> None:
        self._namespace = namespace

    async def version(self, _: web.Request) -> web.Response:
        return web.json_response({"major": "1", "minor": "35", "gitVersion": "v1.35.0"})

    async def service(self, _: web.Request) -> web.Response:
        if self._namespace.expired_tokens:
            self._namespace.expired_tokens -= 1
            return web.json_response({"message": "Unauthorized"}, status=401)
        if self._namespace.selected is None:
            return web.json_response({"message": "not found"}, status=404)
        selector = {"dask.org/cluster-name": self._namespace.selected}
        return web.json_response({"spec": {"selector": selector}})

    async def secret(self, request: web.Request) -> web.Response:
        return web.json_response({"data": self._namespace.secrets[request.match_info["secret"]]})

    async def group(self, _: web.Request) -> web.Response:
        note = self._namespace.sleep
        replicas = 0 if note else 2
        return web.json_response(
            {"metadata": {"annotations": note}, "spec": {"worker": {"replicas": replicas}}}
        )

    async def template(self, _: web.Request) -> web.Response:
        return web.json_response({"data": {"cluster.yaml": self._namespace.template}})

    async def own_service(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in self._namespace.own:
            return web.json_response({"message": "not found"}, status=404)
        return web.json_response({"spec": {"selector": {"dask.org/cluster-name": name}}})

    async def write(self, request: web.Request) -> web.Response:
        there, path = self._namespace, request.match_info["path"]
        document: Any = await request.json() if request.can_read_body else None
        there.asked.append((request.method, path, document))
        kind, _, name = path.partition("/")
        if request.method == "POST" and there.refusal:
            return web.json_response({"message": there.refusal}, status=403)
        if request.method == "POST" and kind == "daskclusters":
            made = document["metadata"]
            made["uid"] = f"{made['name']}-{len(there.asked)}"
            there.own[made["name"]] = document
            return web.json_response(document, status=201)
        expected = (document or {}).get("preconditions")
        if expected and name in there.own and there.own[name]["metadata"]["uid"] != expected["uid"]:
            return web.json_response({"message": "the UID does not match"}, status=409)
        if request.method == "DELETE" and there.own.pop(name, None) is None:
            return web.json_response({"message": "not found"}, status=404)
        return web.json_response({})

    async def review(self, _: web.Request) -> web.Response:
        return web.json_response({"status": {"allowed": False}}, status=201)

    async def notice(self, _: web.Request) -> web.Response:
        if (status := self._namespace.notice_status) != web.HTTPOk.status_code:
            return web.json_response({"message": "so it is"}, status=status)
        return web.json_response({"data": {"notice.json": self._namespace.notice}})

    async def pods(self, request: web.Request) -> web.Response:
        wanted = dict(part.split("=") for part in request.query["labelSelector"].split(","))
        found = [pod for pod in self._namespace.pods.values() if wanted == pod.labels]
        return web.json_response({"items": [pod.document for pod in found]})

    async def forward(self, request: web.Request) -> web.StreamResponse:
        pod = self._namespace.pods.get(request.match_info["pod"])
        if pod is None:
            return web.json_response({"message": "not found"}, status=404)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        port = int(request.query["ports"])
        for channel in (0, 1):
            await socket.send_bytes(bytes([channel]) + port.to_bytes(2, "little"))
        if pod.refuses:
            self._namespace.refusals += 1
            await socket.send_bytes(b"\x01connection refused")
            await asyncio.sleep(0.01)
            return socket
        self._namespace.sockets.add(socket)
        if port in pod.leads_to:
            await _carried(socket, pod.leads_to[port])
            self._namespace.sockets.discard(socket)
            return socket
        await socket.send_bytes(b"\x00" + f"{pod.name}:{port}\n".encode())
        async for message in socket:
            if message.type == WSMsgType.BINARY:
                await socket.send_bytes(message.data)
        self._namespace.sockets.discard(socket)
        return socket


async def _carried(socket: web.WebSocketResponse, port: int) -> None:
    """Carry to what listens at a port of this machine, until either side ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)

    async def down() -> None:
        while data := await reader.read(65536):
            await socket.send_bytes(b"\x00" + data)
        await socket.close()

    answering = asyncio.create_task(down())
    try:
        async for message in socket:
            if message.type == WSMsgType.BINARY:
                writer.write(message.data[1:])
                await writer.drain()
    finally:
        answering.cancel()
        writer.close()
