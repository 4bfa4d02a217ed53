"""Why a node pool failed, said by `pulumi up` itself, beside the provider's own error.

Google's provider says of a pool without machines only that it "was created in the error state":
the reason is in the pool's conditions. An error hook reads them when a creation or an update has
failed. It says one sentence and decides nothing: what it raised would take the place of the
provider's error (engine 3.256, ``resource/deploy/step.go``), and what it asked for once more would
be done once more.

The engine calls it in this program. A pool that fails after the program's own end, because a gate
of a team gave up while the pool was still being made or changed, is not explained: `daskfleet
doctor` does it. The provider's error of a pool that exists is shown all the same; only of one that
was refused as a whole the engine then shows its own failure to call the hook.
"""

import os

import pulumi
from pulumi import ErrorHook, ErrorHookArgs, InvokeOptions, ResourceHookBinding
from pulumi.runtime import settings as engine_settings
from pulumi.runtime.proto import engine_pb2

from daskfleet.planning.node_pool_spec import NodePoolSpec
from daskfleet.settings.stack import Stack

CLIENT_CONFIG = "gcp:organizations/getClientConfig:getClientConfig"
"""The provider's function that tells its own login."""


def explaining_failures(
    spec: NodePoolSpec, stack: Stack, *, component: pulumi.Resource
) -> ResourceHookBinding:
    """Hooks for the pool that ``component`` has as a child; a preview runs none."""

    async def explain(failed: ErrorHookArgs) -> bool:
        if failed.failed_operation != "delete":
            say_of(failed.urn, await _why(spec, stack, component))
        return False

    return ResourceHookBinding(
        on_error=[ErrorHook(f"why-{spec.generation.name}-failed", explain)],
    )


async def _why(spec: NodePoolSpec, stack: Stack, component: pulumi.Resource) -> str:
    # Here, so that only an `up` in which a pool failed loads an HTTP client.
    from daskfleet.platform.doctor.answers import NodePool  # noqa: PLC0415
    from daskfleet.platform.doctor.failed_pool import (  # noqa: PLC0415
        ask_for_pool,
        why_it_failed,
    )

    async def ask() -> NodePool:
        token = await provider_token(component)
        return await ask_for_pool(spec.generation.name, stack, token=token, environment=os.environ)

    return await why_it_failed(spec, stack, ask=ask)


async def provider_token(component: pulumi.Resource) -> str:
    """A token of the login that the component's provider uses, wherever that comes from."""
    found = await pulumi.runtime.invoke_async(CLIENT_CONFIG, {}, InvokeOptions(parent=component))
    return str(found["accessToken"])


def say_of(urn: str, text: str) -> None:
    """Show a line among the errors of a resource.

    ``pulumi.log.error`` would wait for the resource, which never comes to be.
    """
    engine = engine_settings.get_engine()
    if engine is not None:
        engine.Log(engine_pb2.LogRequest(severity=engine_pb2.ERROR, message=text, urn=urn))
