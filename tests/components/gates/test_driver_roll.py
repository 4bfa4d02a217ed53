"""Unit: when worker pools are held back. That the engine keeps to it is tested end to end."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pulumi
import pytest
from pulumi import ResourceHook, ResourceHookArgs, resource_hooks

from components.gates.driver_roll import DriverRoll

Moment = Callable[["Roll"], None]


class Pool:
    """A scheduler pool that the engine has not dealt with yet."""

    def __init__(self) -> None:
        loop = asyncio.get_event_loop()
        is_known: asyncio.Future[bool] = loop.create_future()
        is_known.set_result(True)
        self.answer: asyncio.Future[str] = loop.create_future()
        self.urn: pulumi.Output[str] = pulumi.Output(set(), self.answer, is_known=is_known)


class Roll:
    """A roll whose scheduler pool is in the engine's hands, and a worker pool that may wait."""

    def __init__(self) -> None:
        self.pool = Pool()
        roll = DriverRoll()
        self.hooks = roll.hooks()
        sysctls = roll.goes_on_with(
            {"vm.max_map_count": "2"}, after=cast("pulumi.Resource", self.pool)
        )
        self.sysctls = asyncio.ensure_future(cast("Awaitable[dict[str, str]]", sysctls.future()))

    async def is_held_back(self) -> bool:
        """Whether the worker pool waits, with all that can happen by itself having happened."""
        for _ in range(20):
            await asyncio.sleep(0)
        return not self.sysctls.done()

    def run(self, hooks: list[Any] | None, args: ResourceHookArgs) -> None:
        """Run hooks as the engine does before a step."""
        for hook in hooks or []:
            assert isinstance(hook, ResourceHook)
            hook(args)


@pytest.fixture(autouse=True)
def _no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource_hooks, "register_resource_hook", lambda _: None)


def step(*, old: str | None, new: str | None, loaded: str | None = None) -> ResourceHookArgs:
    """What a hook is told, with the driver in old inputs, new inputs, and old outputs."""

    def pool(mark: str | None) -> dict[str, Any]:
        linux = {"linuxNodeConfig": {"sysctls": {"vm.max_map_count": mark}}} if mark else {}
        return {"nodeConfig": {"labels": {"dedicated": "scheduler"}, **linux}}

    return ResourceHookArgs(
        urn="urn",
        id="id",
        name="scheduler-pool",
        type="gcp:container/nodePool:NodePool",
        old_inputs=pool(old),
        new_inputs=pool(new),
        old_outputs=pool(loaded or old),
    )


def is_held_back_after(moment: Moment) -> bool:
    """Whether a worker pool still waits after this moment."""

    async def run() -> bool:
        roll = Roll()
        assert await roll.is_held_back()
        moment(roll)
        is_held_back = await roll.is_held_back()
        roll.sysctls.cancel()
        return is_held_back

    return asyncio.run(run())


def update(**drivers: str | None) -> Moment:
    """The engine is about to update the scheduler pool."""
    return lambda roll: roll.run(roll.hooks.before_update, step(**drivers))


def test_a_scheduler_pool_that_is_created_holds_nobody_up() -> None:
    assert not is_held_back_after(
        lambda roll: roll.run(roll.hooks.before_create, step(old=None, new=None))
    )


def test_a_scheduler_pool_that_keeps_its_driver_holds_nobody_up() -> None:
    assert not is_held_back_after(update(old="580001000", new="580001000"))
    assert not is_held_back_after(update(old=None, new=None))


@pytest.mark.parametrize(
    "drivers",
    [
        {"old": "580001000", "new": "580002000"},
        {"old": None, "new": "580002000"},
        {"old": "580001000", "new": None},
        {"old": "580002000", "new": "580002000", "loaded": "580001000"},
    ],
    ids=["another", "the first mark", "none any more", "an update that failed half-way"],
)
def test_a_scheduler_pool_that_gets_another_driver_goes_first(
    drivers: dict[str, str | None],
) -> None:
    assert is_held_back_after(update(**drivers))


def test_workers_follow_once_the_scheduler_pool_has_been_dealt_with() -> None:
    assert not is_held_back_after(lambda roll: roll.pool.answer.set_result("urn"))


def test_a_scheduler_pool_that_fails_fails_the_worker_pools_that_wait() -> None:
    async def run() -> None:
        roll = Roll()
        assert await roll.is_held_back()
        roll.pool.answer.set_exception(RuntimeError("the roll was stopped"))
        with pytest.raises(RuntimeError, match="the roll was stopped"):
            await roll.sysctls

    asyncio.run(run())
