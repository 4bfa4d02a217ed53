"""One image for everything of a team that exchanges Python objects."""

from collections.abc import Iterator, Sequence

from policies.declared import Declared, dask_clusters
from policies.pods import SCHEDULER, WORKER, Container, containers_of
from policies.rule import Parameters, Rule, Violation


class SameImageParameters(Parameters):
    """Which containers it is about."""

    containers: tuple[str, ...] = ("jupyter", "jupyterlab", "notebook", "notebook-server")
    """Names of containers, besides those of Dask, in which a team's clients run."""


def _check(fleet: Sequence[Declared], parameters: SameImageParameters) -> Iterator[Violation]:
    for namespace, scheduler in _schedulers(fleet).items():
        for container in _exchanging(fleet, namespace, parameters.containers):
            if container.image is not None and container.image != scheduler.image:
                yield Violation(
                    resource=container.of.resource,
                    message=f"In namespace {namespace} {container.described} has the image "
                    f"{container.image}, and the scheduler {scheduler.image}. What one of them "
                    "packs the other cannot unpack: give both the team's image.",
                )


def _schedulers(fleet: Sequence[Declared]) -> dict[str, Container]:
    """The first scheduler of each namespace whose image is known."""
    found: dict[str, Container] = {}
    for cluster in dask_clusters(fleet):
        for container in containers_of(cluster):
            if container.of.part == SCHEDULER and container.image is not None:
                found.setdefault(cluster.namespace, container)
    return found


def _exchanging(
    fleet: Sequence[Declared], namespace: str, names: Sequence[str]
) -> Iterator[Container]:
    for resource in fleet:
        if resource.is_in_kubernetes and resource.namespace == namespace:
            for container in containers_of(resource):
                is_dask = container.of.part in {SCHEDULER, WORKER}
                if is_dask or container.name in names:
                    yield container


RULE = Rule(
    name="one-image-per-team",
    description="Scheduler, workers and notebooks of a team run the same image.",
    level="mandatory",
    scope="stack",
    parameters=SameImageParameters,
    check=_check,
)
