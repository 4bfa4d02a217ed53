"""Integration: connections follow the scheduler to another pod, those that nobody ends too."""

import asyncio
import socket

import pytest

from daskfleet.access import tunnel as tunnel_module
from daskfleet.access.kubernetes_api import connected
from daskfleet.access.tunnel import tunnel
from tests.daskfleet.team.connect.api_server import Namespace, Pod, served
from tests.daskfleet.team.connect.test_connection_file import TEAM


@pytest.mark.asyncio
async def test_a_connection_to_a_pod_that_was_left_ends_though_nobody_ends_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tunnel_module, "LEFT_FOR_S", 0.2)
    namespace = Namespace(Pod("one"))
    with socket.create_server(("127.0.0.1", 0)) as comm, socket.create_server(("", 0)) as other:
        async with (
            served(namespace) as kubeconfig,
            connected(kubeconfig, request_timeout_s=5) as api,
            tunnel(api, TEAM, comm=comm, dashboard=other, say=lambda _: None) as route,
        ):
            keeping = asyncio.create_task(route.keep())
            reader, writer = await asyncio.open_connection(*comm.getsockname())
            assert await reader.readline() == b"one:8786\n"

            namespace.pods = {"two": Pod("two")}  # the connection to the first one stays open
            async with asyncio.timeout(15):
                assert await reader.read() == b""
            writer.close()

            reader, writer = await asyncio.open_connection(*comm.getsockname())
            assert await reader.readline() == b"two:8786\n"
            writer.close()
            keeping.cancel()
