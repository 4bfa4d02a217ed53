"""Why a node pool has just failed, in one sentence for whoever looks at `pulumi up`."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import httpx

from daskfleet.google_cloud.bearer import Access
from daskfleet.planning.node_pool_spec import NodePoolSpec
from daskfleet.platform.doctor.answers import NodePool
from daskfleet.platform.doctor.errors import NotThereError
from daskfleet.platform.doctor.google_api import GoogleApi
from daskfleet.platform.doctor.pools import ERRORS, pool_finding
from daskfleet.settings.stack import Stack
from daskfleet.visible import in_short, visible

TIME_LIMIT_S = 20.0
"""The step fails when the sentence is there: nobody waits for it longer than this."""

LONGEST = 1000
"""Characters of what Google says: it is in the middle of a sentence."""

LOOK_AGAIN = "`daskfleet doctor` looks at quotas, machine types and pools."

AskForPool = Callable[[], Awaitable[NodePool]]
"""Raises NotLookedAtError, and NotThereError where Google has no such pool."""


async def why_it_failed(
    spec: NodePoolSpec, stack: Stack, *, ask: AskForPool, time_limit_s: float = TIME_LIMIT_S
) -> str:
    """Say which machines a pool lacks, where, why, and what to do. Raises nothing."""
    what = f"node pool {spec.generation.name} in {', '.join(spec.zones)}, {machines(spec)}"
    try:
        async with asyncio.timeout(time_limit_s):
            pool = await ask()
    except NotThereError:
        return (
            f"{what}: Google has made no such pool, for the reason in the provider's error. "
            f"Correct that, then run `pulumi up` again. {LOOK_AGAIN}"
        )
    except TimeoutError:
        return f"{what}: Google gave no reason within {time_limit_s:.0f} s. {LOOK_AGAIN}"
    except Exception as error:  # noqa: BLE001 - it would take the place of the provider's error
        why = in_short(next(iter(str(error).splitlines()), type(error).__name__), LONGEST)
        return f"{what}: Google could not be asked why: {why}. {LOOK_AGAIN}"
    if pool.status not in ERRORS and not pool.conditions:
        return (
            f"{what}: GKE says it is {pool.status or 'in no state'} and gives no other reason "
            f"than the provider's error. Another `pulumi up` goes on from there. {LOOK_AGAIN}"
        )
    found = pool_finding(pool, stack)
    there = in_short(found.there.rstrip("."), LONGEST)
    return f"{visible(found.subject)}, {visible(found.needed)}: {there}. {found.fix}"


async def ask_for_pool(
    name: str, stack: Stack, *, token: str, environment: Mapping[str, str]
) -> NodePool:
    """Return the pool of that name in the stack's cluster.

    Raises:
        NotThereError: there is none.
        NotLookedAtError: it cannot be told.

    """
    place = f"projects/{stack.project}/locations/{stack.location}"
    async with httpx.AsyncClient() as http:
        access = Access(token=token, kind="the provider's own token")
        google = GoogleApi(http, environment=environment, access=access)
        path = f"{place}/clusters/{stack.cluster.name}/nodePools/{name}"
        return await google.get("container", path, NodePool)


def machines(spec: NodePoolSpec) -> str:
    """A pool's machines and GPUs, as the stack file has them."""
    if spec.gpus is None:
        return spec.machine_type
    return f"{spec.machine_type} with {spec.gpus.per_node} {spec.gpus.accelerator}"
