"""Driver, CUDA and GPU agree; what an image needs is that of ``daskfleet.planning.image_needs``."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from daskfleet.contract.nodes import (
    DEDICATED_LABEL,
    DRIVER_VERSION_VARIABLE,
    INSTALLER_NAME,
    POOL_LABEL,
    SCHEDULER,
)
from daskfleet.planning.image_needs import (
    ImageNeeds,
    branch_of_channel,
    branch_of_version,
    needs_of,
)
from daskfleet.planning.images import read_image
from daskfleet.settings.software import Image
from policies.declared import UNKNOWN, Declared, at, items_of, of_kind, outputs_of
from policies.pods import REQUIRED_AFFINITY, Container, Pods, containers_of, pods_of
from policies.rule import NoParameters, Rule, Violation

BY_GKE = ("DEFAULT", "LATEST")
"""Values of ``gpuDriverVersion`` with which GKE installs a driver itself."""


NO_DRIVER = 0


@dataclass(frozen=True, kw_only=True)
class GpuPool:
    """A GPU pool as far as software cares."""

    name: str
    is_for_schedulers: bool
    accelerator: str
    driver_branch: int | None
    """None where it is not known, ``NO_DRIVER`` where none comes."""


def _check(fleet: Sequence[Declared], parameters: NoParameters) -> Iterator[Violation]:
    del parameters
    installed = _installed_branch(fleet)
    pools = [
        pool
        for resource in of_kind(fleet, "NodePool")
        if (pool := _gpu_pool(resource, installed)) is not None
    ]
    for resource in fleet:
        for pods in pods_of(resource):
            for image, needs in _images(pods, fleet) if pods.part else ():
                for pool in pools:
                    if _runs_on(pods.spec, pool):
                        yield from _disagreements(pods, image, needs, pool)


def _disagreements(
    pods: Pods, image: Image, needs: ImageNeeds, pool: GpuPool
) -> Iterator[Violation]:
    if not needs.are_met_by_gpu(pool.accelerator):
        yield Violation(
            resource=pods.resource,
            message=f"{image.ref} of the {pods.part} needs compute capability "
            f"{needs.compute_capability}, and the {pool.accelerator} of pool {pool.name} has less.",
        )
    if pool.driver_branch == NO_DRIVER:
        yield Violation(
            resource=pods.resource,
            message=f"Pool {pool.name} of the {pods.part} leaves the driver to the DaemonSet "
            f"{INSTALLER_NAME}, and there is none.",
        )
    elif pool.driver_branch and not needs.are_met_by_driver(pool.driver_branch):
        yield Violation(
            resource=pods.resource,
            message=f"{image.ref} of the {pods.part} has CUDA {image.cuda}, which needs driver "
            f"branch {needs.driver_branch}; pool {pool.name} has branch {pool.driver_branch}.",
        )


def _images(pods: Pods, fleet: Sequence[Declared]) -> Iterator[tuple[Image, ImageNeeds]]:
    for container in pods.containers:
        if image := _inside(container, fleet):
            yield image, needs_of(image)


def _inside(container: Container, fleet: Sequence[Declared]) -> Image | None:
    """What is in an image, by its tag or else by the stack's outputs, which have the settings'."""
    if not container.image:
        return None
    if contents := read_image(container.image):
        return contents.image
    team = at(outputs_of(fleet), "teams", container.of.resource.namespace)
    rapids, cuda = at(team, "rapids"), at(team, "cuda")
    if at(team, "image") != container.image or not isinstance(rapids, str):
        return None
    return Image(ref=container.image, rapids=rapids, cuda=int(cuda))


def _gpu_pool(resource: Declared, installed: int | None) -> GpuPool | None:
    accelerators = list(items_of(resource.at("nodeConfig", "guestAccelerators")))
    if not accelerators:
        return None
    kind, channel = (
        at(accelerators[0], "type"),
        at(accelerators[0], "gpuDriverInstallationConfig", "gpuDriverVersion"),
    )
    if UNKNOWN in (kind, channel, resource.at("name")):
        return None
    return GpuPool(
        name=str(resource.at("name")),
        is_for_schedulers=resource.at("nodeConfig", "labels", DEDICATED_LABEL) == SCHEDULER,
        accelerator=str(kind),
        driver_branch=branch_of_channel(channel) if channel in BY_GKE else installed,
    )


def _installed_branch(fleet: Sequence[Declared]) -> int | None:
    """The branch that our installer brings; see ``GpuPool.driver_branch``."""
    installers = [
        each for each in of_kind(fleet, "DaemonSet") if each.object_name in {INSTALLER_NAME, ""}
    ]
    for installer in installers:
        for container in containers_of(installer):
            for variable in items_of(at(container.document, "env")):
                version = at(variable, "value")
                if at(variable, "name") == DRIVER_VERSION_VARIABLE and isinstance(version, str):
                    return branch_of_version(version)
    return None if installers else NO_DRIVER


def _runs_on(spec: Any, pool: GpuPool) -> bool:
    """Whether the required affinity lets the pods onto the pool."""
    return any(
        _lets_onto(expression, pool)
        for term in items_of(at(spec, *REQUIRED_AFFINITY))
        for expression in items_of(at(term, "matchExpressions"))
    )


def _lets_onto(expression: Any, pool: GpuPool) -> bool:
    values = list(items_of(at(expression, "values")))
    if at(expression, "key") == POOL_LABEL:
        return pool.name in values
    return (
        at(expression, "key") == DEDICATED_LABEL and SCHEDULER in values and pool.is_for_schedulers
    )


RULE = Rule(
    name="driver-cuda-gpu",
    description="Each image runs on the driver and the GPUs of the pools that its pods go to.",
    level="mandatory",
    scope="stack",
    parameters=NoParameters,
    check=_check,
)
