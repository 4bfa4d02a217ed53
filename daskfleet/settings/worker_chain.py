"""Which pools a group of workers may run on: one, or several in order of preference."""

from typing import Annotated, Any

from pydantic import AfterValidator, Discriminator, Field, Tag

from daskfleet.settings.base import refusal
from daskfleet.settings.google_names import PoolName

MOST_STEPS = 5
"""Pools of one chain. Kubernetes weighs preferences from 1 to 100; with more steps, each would
weigh too little against what else its scheduler looks at."""


def _each_once(pools: tuple[str, ...]) -> tuple[str, ...]:
    for place, pool in enumerate(pools):
        if pool in pools[:place]:
            raise refusal(
                f"Pool {pool} occurs twice.",
                allowed="each pool once, the most wanted first",
                next_step="remove the one with the lower priority.",
            )
    return pools


WorkerChain = Annotated[
    tuple[PoolName, ...],
    Field(min_length=1, max_length=MOST_STEPS),
    AfterValidator(_each_once),
]
"""Worker pools in order of preference."""


def _spelling(value: Any) -> str:
    return "chain" if isinstance(value, list | tuple) else "pool"


WorkerPools = Annotated[
    Annotated[PoolName, Tag("pool")] | Annotated[WorkerChain, Tag("chain")],
    Discriminator(_spelling),
]
"""One worker pool, or several in order of preference."""


def pools_named(setting: str | tuple[str, ...] | None) -> tuple[str, ...]:
    """The pools that a setting names; none where it is left out."""
    if setting is None:
        return ()
    return (setting,) if isinstance(setting, str) else setting
