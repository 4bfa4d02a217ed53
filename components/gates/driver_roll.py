"""The order in which GPU pools get another driver: the scheduler pool first.

Another version is another mark in the settings of all GPU pools, for which GKE re-creates their
nodes. The worker pools are declared to the engine only once the scheduler pool's nodes are new, so
a roll that fails there reaches no worker. Nothing else waits: pools are created side by side, and a
zone that is out of the schedulers' GPU holds up nobody who can do without.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, TypeVar

import pulumi
from pulumi import ResourceHook, ResourceHookArgs, ResourceHookBinding

from daskfleet.contract.nodes import DRIVER_SYSCTL

ValueT = TypeVar("ValueT")


class DriverRoll:
    """Holds worker pools back while the scheduler pool gets another driver.

    Not by a dependency, which would hold up their creation too. And not by a hook that waits, which
    would take a place in the engine from the step that it waits for: with ``--parallel 1`` for
    ever. The program waits, before it declares a worker pool, until the scheduler pool has been
    dealt with; hooks of the scheduler pool only tell it earlier when no new driver is in question.
    """

    def __init__(self) -> None:
        self._is_no_roll = asyncio.Event()

    def hooks(self) -> ResourceHookBinding:
        """Hooks for the scheduler pool; a preview, which changes nothing, runs none."""
        return ResourceHookBinding(
            before_create=[ResourceHook("scheduler-pool-is-created", self._on_create)],
            before_update=[ResourceHook("scheduler-pool-is-updated", self._on_update)],
        )

    def goes_on_with(self, value: ValueT, *, after: pulumi.Resource) -> pulumi.Output[ValueT]:
        """Return an input of a worker pool, known when its turn after the scheduler pool comes."""

        async def in_turn() -> ValueT:
            await self._turn(after)
            return value

        return pulumi.Output.from_input(in_turn())

    async def _turn(self, scheduler_pool: pulumi.Resource) -> None:
        dealt_with = asyncio.ensure_future(scheduler_pool.urn.future())
        released = asyncio.ensure_future(self._is_no_roll.wait())
        await asyncio.wait({dealt_with, released}, return_when=asyncio.FIRST_COMPLETED)
        released.cancel()
        if dealt_with.done():
            dealt_with.result()  # raises what kept the engine from dealing with it

    def _on_create(self, _: ResourceHookArgs) -> None:
        self._is_no_roll.set()

    def _on_update(self, args: ResourceHookArgs) -> None:
        # An update that failed half-way may have left the new inputs beside the old outputs.
        before = {driver_mark_in(args.old_inputs), driver_mark_in(args.old_outputs)}
        if before == {driver_mark_in(args.new_inputs)}:
            self._is_no_roll.set()


def driver_mark_in(pool: Mapping[str, Any] | None) -> str | None:
    """Return what names the driver in a node pool's inputs or outputs, as the engine has them."""
    linux = ((pool or {}).get("nodeConfig") or {}).get("linuxNodeConfig") or {}
    mark: str | None = (linux.get("sysctls") or {}).get(DRIVER_SYSCTL)
    return mark
