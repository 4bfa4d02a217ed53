"""Integration: the way to a scheduler's pod through an API server."""

import asyncio
from urllib.parse import urlsplit

import pytest

from daskfleet.access.kubernetes_api import connected
from daskfleet.team.verify.collect.reach import forwarded
from tests.daskfleet.team.connect.api_server import Namespace, Pod, served
from tests.daskfleet.team.verify.samples import team


async def first_line(address: str) -> bytes:
    parts = urlsplit(address)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    try:
        return await reader.readline()
    finally:
        writer.close()


@pytest.mark.asyncio
async def test_scheduler_and_dashboard_of_the_pod_are_reached() -> None:
    async with (
        served(Namespace(Pod("one"))) as kubeconfig,
        connected(kubeconfig, request_timeout_s=5) as api,
        forwarded(api, team(namespace="fraud"), scheduler="one") as way,
    ):
        assert await first_line(way.address) == b"one:8786\n"
        assert await first_line(way.http) == b"one:8787\n"


@pytest.mark.asyncio
async def test_a_pod_that_refuses_is_asked_once_for_each_connection() -> None:
    namespace = Namespace(Pod("one"))
    namespace.pods["one"].refuses = True
    async with (
        served(namespace) as kubeconfig,
        connected(kubeconfig, request_timeout_s=5) as api,
        forwarded(api, team(namespace="fraud"), scheduler="one") as way,
    ):
        assert await first_line(way.address) == b""

    assert namespace.refusals == 1
