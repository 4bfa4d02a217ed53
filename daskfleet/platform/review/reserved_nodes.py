"""Pure: what a change takes of the reservations that pools name, and what it gives back."""

from collections.abc import Iterable, Iterator, Sequence

from daskfleet.platform.review.engine_step import Properties
from daskfleet.platform.review.model import ReservedNodes, Step
from daskfleet.platform.review.property_values import is_count, value_at

_AFFINITY = ("nodeConfig", "reservationAffinity")
_TOTAL = ("autoscaling", "totalMaxNodeCount")
_OF_EACH_ZONE = (("autoscaling", "maxNodeCount"), ("nodeCount",))


def reserved_nodes(inputs: Properties) -> ReservedNodes | None:
    """The reservation that a node pool's inputs name, and how many of its machines at most."""
    values = value_at(inputs, (*_AFFINITY, "values"))
    zones = len(value_at(inputs, ("nodeLocations",)) or (None,))
    sizes = (
        value_at(inputs, _TOTAL),
        *(_times(zones, value_at(inputs, path)) for path in _OF_EACH_ZONE),
    )
    most = next((int(size) for size in sizes if is_count(size)), None)
    match values:
        case [str(reservation)] if most is not None:
            return ReservedNodes(reservation=reservation, most=most)
        case _:
            return None


def _times(zones: int, size: object) -> float | None:
    return zones * size if is_count(size) else None


def reservation_warnings(steps: Iterable[Step]) -> Iterator[str]:
    """Say for each reservation what the change needs of it, or frees."""
    changed = [step for step in steps if step.reserved_before or step.reserved_after]
    named = (
        each.reservation
        for step in changed
        for each in (step.reserved_before, step.reserved_after)
        if each
    )
    for reservation in dict.fromkeys(named):
        of_it = [step for step in changed if reservation in _names(step)]
        before = sum(_most(step.reserved_before, reservation) for step in of_it)
        after = sum(_most(step.reserved_after, reservation) for step in of_it)
        beside = _beside(of_it, reservation)
        if after > before:
            yield (
                f"The change takes up to {after - before} more machines of reservation "
                f"{reservation} (pool {_pools(of_it)}). `daskfleet doctor` tells whether it has "
                "them."
            )
        elif before > after:
            yield (
                f"The change gives up to {before - after} machines of reservation {reservation} "
                f"back (pool {_pools(of_it)}). They are paid for until the reservation is made "
                "smaller."
            )
        if beside:
            yield (
                f"While two generations of pool {_pools(beside)} exist, reservation {reservation} "
                f"has to have up to {sum(_most(s.reserved_after, reservation) for s in beside)} "
                "machines more than before."
            )


def _beside(steps: Sequence[Step], reservation: str) -> list[Step]:
    """New pools that come before an old one of the same reservation has gone."""
    going = {
        step.parent
        for step in steps
        if step.operation == "delete" and _most(step.reserved_before, reservation)
    }
    return [step for step in steps if step.operation == "create" and step.parent in going]


def _names(step: Step) -> set[str]:
    return {each.reservation for each in (step.reserved_before, step.reserved_after) if each}


def _most(nodes: ReservedNodes | None, reservation: str) -> int:
    return nodes.most if nodes and nodes.reservation == reservation else 0


def _pools(steps: Iterable[Step]) -> str:
    return ", ".join(dict.fromkeys(step.parent or step.name for step in steps))
