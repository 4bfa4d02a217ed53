"""Unit: lists are read again when a watch has told of a change, and while none can tell."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import certifi
import pytest
import pytest_asyncio
from aiohttp import web

from rehearsal.kubernetes_changes import Changes, Listed

PATIENCE_S = 60


class ApiServer:
    """Answers watches of pods; the test says what they tell, and when they break."""

    def __init__(self) -> None:
        self.told: asyncio.Queue[str | None] = asyncio.Queue()
        self.answers = True
        self.watched = 0

    async def watch(self, request: web.Request) -> web.StreamResponse:
        """Stream what is told, until it is None."""
        if not self.answers:
            raise web.HTTPServiceUnavailable
        response = web.StreamResponse()
        await response.prepare(request)
        self.tell()  # it begins with what is there
        self.watched += 1
        while (line := await self.told.get()) is not None:
            await response.write(line.encode() + b"\n")
        return response

    def tell(self) -> None:
        """Say that a pod has changed."""
        self.told.put_nowait(json.dumps({"type": "MODIFIED", "object": {"kind": "Pod"}}))

    def hang_up(self) -> None:
        """End the watch."""
        self.told.put_nowait(None)


@asynccontextmanager
async def serving(server: ApiServer) -> AsyncIterator[int]:
    app = web.Application()
    app.router.add_get("/api/v1/pods", server.watch)
    runner = web.AppRunner(app, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


@pytest.fixture
def server() -> ApiServer:
    """An API server that has nothing to tell so far."""
    return ApiServer()


@pytest_asyncio.fixture
async def changes(server: ApiServer, tmp_path: Path) -> AsyncIterator[Changes]:
    """Changes of its pods."""
    async with serving(server) as port:
        kubeconfig = tmp_path / "kubeconfig"
        server_url = f"http://127.0.0.1:{port}"
        cluster = {"server": server_url, "certificate-authority": certifi.where()}
        kubeconfig.write_text(
            json.dumps(
                {
                    "apiVersion": "v1",
                    "kind": "Config",
                    "current-context": "c",
                    "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
                    "clusters": [{"name": "c", "cluster": cluster}],
                    "users": [{"name": "u", "user": {"token": "t"}}],
                }
            )
        )
        made = Changes(kubeconfig, {"pods": "v1"})
        following = asyncio.create_task(made.follow())
        yield made
        following.cancel()
        await asyncio.wait((following,))


class Reader:
    """Counts how often it reads."""

    def __init__(self) -> None:
        self.times = 0

    async def read(self) -> int:
        """Give the number of the reading."""
        self.times += 1
        return self.times


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110  (another task makes it hold)
            await asyncio.sleep(0.01)


@pytest.mark.asyncio
async def test_what_has_not_changed_is_read_once(changes: Changes, server: ApiServer) -> None:
    listed = Listed(Reader().read, of=changes, plurals=("pods",))
    await until(lambda: changes.marks("pods") is not None)
    assert [await listed.get() for _ in range(3)] == [1, 1, 1]
    before = changes.marks("pods")
    server.tell()
    await until(lambda: changes.marks("pods") != before)
    assert [await listed.get() for _ in range(3)] == [2, 2, 2]


@pytest.mark.asyncio
async def test_while_nobody_watches_every_look_reads(changes: Changes, server: ApiServer) -> None:
    listed = Listed(Reader().read, of=changes, plurals=("pods",))
    await until(lambda: changes.marks("pods") is not None)
    assert [await listed.get(), await listed.get()] == [1, 1]
    server.answers = False
    server.hang_up()
    await until(lambda: changes.marks("pods") is None)
    assert [await listed.get(), await listed.get()] == [2, 3]


@pytest.mark.asyncio
async def test_a_watch_that_ended_begins_again_and_what_it_missed_is_read(
    changes: Changes, server: ApiServer
) -> None:
    listed = Listed(Reader().read, of=changes, plurals=("pods",))
    await until(lambda: changes.marks("pods") is not None)
    await listed.get()
    server.hang_up()
    await until(lambda: server.watched == 2 and changes.marks("pods") is not None)
    assert await listed.get() == 2


@pytest.mark.asyncio
async def test_a_change_while_it_is_read_is_read_once_more(
    changes: Changes, server: ApiServer
) -> None:
    reader = Reader()

    async def read_slowly() -> int:
        if not reader.times:
            before = changes.marks("pods")
            server.tell()
            await until(lambda: changes.marks("pods") != before)
        return await reader.read()

    listed = Listed(read_slowly, of=changes, plurals=("pods",))
    await until(lambda: changes.marks("pods") is not None)
    assert [await listed.get() for _ in range(3)] == [1, 2, 2]


@pytest.mark.asyncio
async def test_what_the_reader_changed_itself_can_be_forgotten(changes: Changes) -> None:
    listed = Listed(Reader().read, of=changes, plurals=("pods",))
    await until(lambda: changes.marks("pods") is not None)
    await listed.get()
    listed.forget()
    assert await listed.get() == 2


@pytest.mark.asyncio
async def test_a_collection_that_nobody_follows_is_always_read(changes: Changes) -> None:
    listed = Listed(Reader().read, of=changes, plurals=("pods", "nodes"))
    await until(lambda: changes.marks("pods") is not None)
    assert [await listed.get(), await listed.get()] == [1, 2]
