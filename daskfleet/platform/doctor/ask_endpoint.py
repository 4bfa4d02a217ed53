"""Trying a connection to the control plane of a fleet that is up. Nothing is sent."""

import asyncio
import os
from collections.abc import Awaitable

from daskfleet.access.errors import AccessError
from daskfleet.access.kubeconfig import server_of
from daskfleet.access.proxy import proxy_to
from daskfleet.platform.doctor.endpoints import address_of, way_finding, way_unknown
from daskfleet.platform.doctor.errors import NotLookedAtError
from daskfleet.platform.doctor.model import Finding
from daskfleet.platform.doctor.pulumi_cli import Answers, StackSummary
from daskfleet.settings.stack import Stack

LONGEST_S = 5
"""GKE drops what comes from elsewhere, so that no answer is the usual refusal."""


async def way_in(
    pulumi: Answers, summary: Awaitable[StackSummary | None], stack: Stack
) -> list[Finding]:
    """Try the endpoint that the state names."""
    try:
        found = await summary
        kubeconfig = await pulumi.kubeconfig(found.name) if found else None
        proxy = proxy_to(kubeconfig) if kubeconfig else None
    except (AccessError, NotLookedAtError) as error:
        return [way_unknown(stack, str(error).rstrip("."))]
    if kubeconfig is None:
        return [way_unknown(stack, "there is no cluster yet")]
    if proxy is not None:
        return [way_unknown(stack, f"requests go by the proxy {proxy.address}")]
    address = address_of(server_of(kubeconfig))
    return [way_finding(stack, address, problem=await _problem(*address))]


async def _problem(host: str, port: int) -> str:
    try:
        async with asyncio.timeout(LONGEST_S):
            _, writer = await asyncio.open_connection(host, port)
    except TimeoutError:
        return f"no answer within {LONGEST_S} s"
    except OSError as error:
        # asyncio puts words of its own in place of the system's.
        number = error.errno or 0
        return os.strerror(number) if number > 0 else str(error)
    writer.close()
    return ""
