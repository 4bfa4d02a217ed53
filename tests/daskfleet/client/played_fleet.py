"""A member's fleet with one team, whose API server stands in and whose schedulers are real."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.components.fleets import fleet
from tests.daskfleet.posted_notice import posted_notice
from tests.daskfleet.team.connect.api_server import Namespace, Pod, served


def pod(name: str, *, scheduler: str = "", cluster: str = "fraud") -> Pod:
    """Return a scheduler's pod; what answers in it is at an address of this machine."""
    made = Pod(name, cluster=cluster)
    if scheduler:
        made.leads_to = {8786: urlsplit(scheduler).port or 0}
    return made


def told(*, tls: bool = False) -> str:
    """Return what the program posts for the team."""
    planned = fleet(teams=[{"name": "fraud", **({"tls": True} if tls else {})}])
    return posted_notice(planned)


@contextmanager
def played(namespace: Namespace, directory: Path) -> Iterator[dict[str, Any]]:
    """Serve it from a thread, and write the member's kubeconfig; nothing of it is left."""
    namespace.notice = namespace.notice or told()
    loop = asyncio.new_event_loop()
    ready: threading.Event = threading.Event()
    kubeconfig: dict[str, Any] = {}

    async def serve() -> None:
        async with served(namespace) as document:
            kubeconfig.update(document)
            (directory / "kubeconfig").write_text(json.dumps(document), encoding="utf-8")
            ready.set()
            await asyncio.Event().wait()

    serving = loop.create_task(serve())

    def run() -> None:
        try:
            loop.run_until_complete(serving)
        except asyncio.CancelledError:
            loop.close()

    thread = threading.Thread(target=run, name="played-api")
    thread.start()
    try:
        assert ready.wait(30)
        yield kubeconfig
    finally:
        loop.call_soon_threadsafe(serving.cancel)
        thread.join()


def tunnels() -> list[str]:
    """Return the names of threads that hold a tunnel."""
    return [each.name for each in threading.enumerate() if each.name.startswith("daskfleet")]
