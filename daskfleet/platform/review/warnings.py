"""Pure: what a reader should know and the engine does not say."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from daskfleet.contract.nodes import DRIVER_SYSCTL
from daskfleet.planning.plan import FleetPlan
from daskfleet.planning.quota import SurgeQuota
from daskfleet.platform.review.model import Preview, PropertyDiff, Step
from daskfleet.platform.review.property_values import parts_or_key
from daskfleet.platform.review.reserved_nodes import reservation_warnings
from daskfleet.platform.review.steps import CLUSTER_TYPE, POOL_TYPE

_GOES = frozenset({"delete", "replace"})


def warnings(preview: Preview, plan: FleetPlan | None) -> tuple[str, ...]:
    """All warnings, those of the program and of the plan among them, each once."""
    found = [
        *_protected(preview.steps),
        *_cascades(preview.steps),
        *_new_cluster(preview.steps),
        *_driver(preview.steps),
        *_kept_gpus(preview.gpu_keepers),
        *reservation_warnings(preview.steps),
        *(_surge(preview.steps, plan.surge_quotas) if plan else ()),
        *preview.warnings,
        *(plan.warnings if plan else ()),
    ]
    return tuple(dict.fromkeys(found))


def _protected(steps: Iterable[Step]) -> Iterator[str]:
    names = [step.title for step in steps if step.is_protected and step.operation in _GOES]
    if names:
        yield (
            f"Protected, so that Pulumi or Google Cloud refuses to delete it: {_listed(names)}. "
            "Set daskfleet:long_lived to false in an update of its own first, or take the change "
            "back."
        )


def _cascades(steps: Sequence[Step]) -> Iterator[str]:
    by_urn = {step.urn: step for step in steps}
    for cause, count in Counter(step.follows for step in steps if step.follows).items():
        what = by_urn[cause].title if cause in by_urn else cause
        yield (
            f"{count} more resources are replaced only because {what} is: the engine has not "
            "compared them, and they are one line here."
        )


def _new_cluster(steps: Iterable[Step]) -> Iterator[str]:
    is_new = any(step.type == CLUSTER_TYPE and step.operation == "create" for step in steps)
    if is_new:
        yield (
            "The cluster is new: nothing in it could be compared or tried, so a mistake in what "
            "goes into it shows only in the update."
        )


def _driver(steps: Iterable[Step]) -> Iterator[str]:
    """What the engine shows as a kernel parameter (components/gates/driver_roll.py)."""
    pools = [
        step.parent
        for step in steps
        if step.type == POOL_TYPE and any(_names_driver(diff) for diff in step.diffs)
    ]
    if pools:
        yield (
            f"The driver changes, which the engine shows as the kernel parameter {DRIVER_SYSCTL}: "
            f"the nodes of {_listed(pools)} are re-created, the scheduler pool's first, and every "
            "Dask pod on them moves."
        )


def _kept_gpus(pools: Sequence[str]) -> Iterator[str]:
    """Google's provider sends nothing where no GPU is declared, and the engine shows nothing."""
    if pools:
        yield (
            f"Pool {_listed(pools)} declares no GPUs any more, and its nodes keep those that they "
            "have: they cost as much, and no worker asks for them. Give the pool another name "
            "together with accelerator: none; the old one then goes with its GPUs."
        )


def _names_driver(diff: PropertyDiff) -> bool:
    return DRIVER_SYSCTL in parts_or_key(diff.path)


def _surge(steps: Iterable[Step], quotas: Iterable[SurgeQuota]) -> Iterator[str]:
    operations: dict[str, set[str]] = {}
    for step in steps:
        if step.type == POOL_TYPE:
            operations.setdefault(step.parent, set()).add(step.operation)
    for quota in quotas:
        if operations.get(quota.pool, set()) >= {"create", "delete"}:
            yield quota.notice


def _listed(names: Sequence[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
