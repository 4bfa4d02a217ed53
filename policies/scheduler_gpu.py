"""The scheduler has a GPU, or says why not; and nothing speaks UCX without one."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from daskfleet.contract.dask import NO_SCHEDULER_GPU
from daskfleet.contract.nodes import GPU_RESOURCE
from policies.declared import UNKNOWN, Declared, at, items_of, may_have
from policies.pods import SCHEDULER, Container, Pods, pods_of
from policies.rule import NoParameters, Rule, Violation

UCX = ("ucx", "ucxx")
UCX_VARIABLES = ("DASK_DISTRIBUTED__COMM__UCX", "DASK_UCX", "UCX_TLS")


def _check(fleet: Sequence[Declared], parameters: NoParameters) -> Iterator[Violation]:
    del parameters
    for resource in fleet:
        for pods in pods_of(resource):
            if pods.part and not _has_gpu(pods):
                yield from _without_gpu(pods)


def _without_gpu(pods: Pods) -> Iterator[Violation]:
    if any(map(_speaks_ucx, pods.containers)):
        yield Violation(
            resource=pods.resource,
            message=f"The {pods.part} speaks UCX and asks for no {GPU_RESOURCE}: UCX needs a GPU "
            "on both ends. Give it one, or leave the protocol at tcp.",
        )
    elif pods.part == SCHEDULER and not at(pods.resource.properties, *_REASON_PATH):
        yield Violation(
            resource=pods.resource,
            message=f"The scheduler asks for no {GPU_RESOURCE}, and it unpacks task graphs that "
            "hold GPU objects. Give it a GPU, or say why not in the annotation "
            f"{NO_SCHEDULER_GPU}, as scheduler_pool.accelerator: none does.",
        )


_REASON_PATH = ("metadata", "annotations", NO_SCHEDULER_GPU)


def _has_gpu(pods: Pods) -> bool:
    return may_have(at(pods.spec, "containers"), _asks_for_gpu)


def _asks_for_gpu(container: Any) -> bool:
    limit = at(container, "resources", "limits", GPU_RESOURCE)
    return limit is UNKNOWN or limit not in (None, "", "0", 0)


def _speaks_ucx(container: Container) -> bool:
    words = [
        str(word).lower()
        for key in ("command", "args")
        for word in items_of(at(container.document, key))
    ]
    variables = [
        (str(at(each, "name")), str(at(each, "value")).lower())
        for each in items_of(at(container.document, "env"))
    ]
    return (
        any(word.startswith(f"{ucx}://") for word in words for ucx in UCX)
        or any(word == f"--protocol={ucx}" for word in words for ucx in UCX)
        or any(flag == "--protocol" and value in UCX for flag, value in pairwise(words))
        or any(
            name.startswith(UCX_VARIABLES) or (name.startswith("DASK_") and value in UCX)
            for name, value in variables
        )
    )


RULE = Rule(
    name="scheduler-gpu",
    description="A Dask scheduler has a GPU or says why not, and never UCX without one.",
    level="mandatory",
    scope="resource",
    parameters=NoParameters,
    check=_check,
)
