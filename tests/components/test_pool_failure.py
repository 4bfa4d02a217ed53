"""Unit: a pool's failure is explained by a hook that decides nothing."""

import asyncio
from typing import Any

import pulumi
import pytest
from pulumi import ErrorHookArgs, resource_hooks

from components import pool_failure
from components.pool_failure import explaining_failures
from daskfleet.planning.node_pool_spec import gpu_pool_specs
from daskfleet.settings.stack import Stack
from tests.recorded_program import record
from tests.setting_changes import BASE

NODE_POOL = "gcp:container/nodePool:NodePool"
URN = f"urn:pulumi:prod::daskfleet::{NODE_POOL}::a100-nodes"
STACK = Stack.model_validate(BASE)
SPEC = gpu_pool_specs(STACK)[1]


async def no_login(_: pulumi.Resource) -> str:
    """A provider that cannot tell its login."""
    raise RuntimeError("invoke of getClientConfig failed")


@pytest.mark.parametrize(
    ("operation", "is_explained"), [("create", True), ("update", True), ("delete", False)]
)
def test_the_hook_explains_and_decides_nothing_whatever_it_meets(
    operation: str,
    is_explained: bool,  # noqa: FBT001 - a case
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[tuple[str, str]] = []
    monkeypatch.setattr(pool_failure, "say_of", lambda urn, text: said.append((urn, text)))
    monkeypatch.setattr(pool_failure, "provider_token", no_login)
    monkeypatch.setattr(resource_hooks, "register_error_hook", lambda _: None)
    failed = ErrorHookArgs(
        urn=URN, id="", name="a100-nodes", type=NODE_POOL, failed_operation=operation
    )

    hooks = explaining_failures(SPEC, STACK, component=unregistered()).on_error
    assert hooks
    asks_for_once_more = asyncio.run(answered(hooks[0], failed))

    assert not asks_for_once_more
    assert [urn for urn, _ in said] == ([URN] if is_explained else [])
    assert all("Google could not be asked why" in text for _, text in said)


async def answered(hook: Any, failed: ErrorHookArgs) -> bool:
    """What the engine is answered."""
    return bool(await hook(failed))


def unregistered() -> pulumi.Resource:
    """A component that nobody asks for anything."""
    return object.__new__(pulumi.ComponentResource)


def test_every_pool_of_the_program_explains_its_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    pools = record(BASE, monkeypatch).of_type(NODE_POOL)

    assert len(pools) > 2
    for pool in pools:
        assert pool.error_hooks == (f"why-{pool.inputs['name']}-failed",)
