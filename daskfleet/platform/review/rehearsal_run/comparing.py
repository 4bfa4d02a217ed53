"""What the preview had said, held against what the rehearsal saw."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

from daskfleet.platform.review.model import Discrepancy, Preview, Step
from daskfleet.platform.review.rehearsal_run.disruption import Disruption, Extent

KeyT = TypeVar("KeyT")

FORETOLD: Mapping[Extent | None, str] = {None: "stay", "some": "some go", "all": "all go"}
SEEN: Mapping[Extent | None, str] = {None: "stayed", "some": "some went", "all": "all went"}
GROUPING = ("daskfleet:", "pulumi:pulumi:")
"""Beginnings of the types that only group others."""

UNCHANGED = "unchanged"


def differences(foretold: Disruption, seen: Disruption) -> tuple[Discrepancy, ...]:
    """What went and was to stay, or the other way round; what nobody could foretell left out."""
    return tuple(_differences(foretold, seen))


def _differences(foretold: Disruption, seen: Disruption) -> Iterator[Discrepancy]:
    unsure = foretold.unsure
    for members in _either(foretold.dask_pods, seen.dask_pods):
        team, role = members
        if members not in unsure:
            yield from _extents(
                f"team {team}, {role}s", members, foretold.dask_pods, seen.dask_pods
            )
    for pool in _either(foretold.nodes, seen.nodes):
        if pool not in unsure:
            yield from _extents(f"nodes of pool {pool}", pool, foretold.nodes, seen.nodes)
    for name in sorted(foretold.namespaces ^ seen.namespaces):
        yield _either_way(f"namespace {name}", is_foretold=name in foretold.namespaces)
    for part in sorted((foretold.platform ^ seen.platform) - unsure):
        yield _either_way(f"pods of the {part}", is_foretold=part in foretold.platform)


def _either(foretold: Mapping[KeyT, Extent], seen: Mapping[KeyT, Extent]) -> list[KeyT]:
    return sorted(foretold.keys() | seen.keys(), key=str)


def _extents(
    subject: str, key: KeyT, foretold: Mapping[KeyT, Extent], seen: Mapping[KeyT, Extent]
) -> Iterator[Discrepancy]:
    told, found = foretold.get(key), seen.get(key)
    if told != found:
        yield Discrepancy(subject=subject, foretold=FORETOLD[told], seen=SEEN[found])


def _either_way(subject: str, *, is_foretold: bool) -> Discrepancy:
    if is_foretold:
        return Discrepancy(subject=subject, foretold="goes", seen="stayed")
    return Discrepancy(subject=subject, foretold="stays", seen="went")


def step_differences(planned: Preview, done: Preview) -> tuple[Discrepancy, ...]:
    """Resources to which ``up`` did something else than the preview had said.

    An update that was found to be none is no difference: a preview does not know the outputs of
    what is replaced or made, and shows whatever depends on them as changed.
    """
    told, found = _operations(planned), _operations(done)
    return tuple(
        Discrepancy(
            subject=(found.get(urn) or told[urn]).title,
            foretold=told[urn].operation if urn in told else UNCHANGED,
            seen=found[urn].operation if urn in found else UNCHANGED,
        )
        for urn in sorted(told.keys() | found.keys())
        if _differ(told.get(urn), found.get(urn))
    )


def _operations(run: Preview) -> dict[str, Step]:
    return {
        step.urn: step
        for step in run.steps
        if not step.type.startswith(GROUPING) and step.operation not in {"read", "refresh"}
    }


def _differ(told: Step | None, found: Step | None) -> bool:
    if found is None:
        return told is not None and told.operation != "update"
    return told is None or told.operation != found.operation
