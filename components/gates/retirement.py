"""Pure: which workers go when a group gets smaller.

Not left to the operator, which picks them among the workers of all groups of the Dask cluster
(dask-kubernetes#914) and then waits for ever for the group that kept one too many.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from daskfleet.pod_status import KubernetesObject


@dataclass(frozen=True, kw_only=True)
class SurplusWorkers:
    """The workers that are too many, by their names, which are those of their Deployments."""

    unknown: tuple[str, ...]
    """The scheduler does not know them: they hold no result."""

    connected: tuple[str, ...]
    """They may hold results, and go once they have handed them over."""


def surplus_workers(
    deployments: Sequence[KubernetesObject], *, declared: int, connected: Collection[str]
) -> SurplusWorkers:
    """Choose which of a group's workers go: those that hold nothing, then the youngest.

    Whoever asks again, after an `up` that was interrupted, gets the same answer: a worker that has
    handed over and was not deleted comes back empty, under its name, and is still the youngest.
    """
    staying = [each for each in deployments if "deletionTimestamp" not in each["metadata"]]
    by_age = sorted(
        (each["metadata"] for each in staying),
        key=lambda metadata: (metadata["creationTimestamp"], metadata["name"]),
        reverse=True,
    )
    names = sorted((metadata["name"] for metadata in by_age), key=lambda name: name in connected)[
        : max(0, len(staying) - declared)
    ]
    return SurplusWorkers(
        unknown=tuple(name for name in names if name not in connected),
        connected=tuple(name for name in names if name in connected),
    )


def addresses_of(names: Sequence[str], *, workers: Mapping[str, str]) -> list[str]:
    """Return the addresses by which the scheduler knows these workers."""
    return [workers[name] for name in names if name in workers]
