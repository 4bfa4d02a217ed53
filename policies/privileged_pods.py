"""No pod but the driver's installer has the node in its hands."""

from collections.abc import Iterator, Sequence

from daskfleet.contract.nodes import INSTALLER_NAME, INSTALLER_NAMESPACE
from policies.declared import Declared, at, items_of
from policies.pods import Pods, pods_of
from policies.rule import Parameters, Rule, Violation

HOST_SWITCHES = ("hostNetwork", "hostPID", "hostIPC")


class PrivilegedPodsParameters(Parameters):
    """Who may."""

    allowed: tuple[str, ...] = (f"{INSTALLER_NAMESPACE}/{INSTALLER_NAME}",)
    """Workloads as ``namespace/name``."""


def _check(fleet: Sequence[Declared], parameters: PrivilegedPodsParameters) -> Iterator[Violation]:
    for resource in fleet:
        who = f"{resource.namespace}/{resource.object_name}"
        is_named = resource.namespace and resource.object_name
        if who in parameters.allowed or not is_named:
            continue
        for pods in pods_of(resource):
            if rights := sorted(set(_rights(pods))):
                yield Violation(
                    resource=resource,
                    message=f"Pods of {who} are as good as root on their node: "
                    f"{', '.join(rights)}. Only {', '.join(parameters.allowed)} may.",
                )


def _rights(pods: Pods) -> Iterator[str]:
    yield from (switch for switch in HOST_SWITCHES if at(pods.spec, switch) is True)
    for volume in items_of(at(pods.spec, "volumes")):
        if at(volume, "hostPath") is not None:
            yield "a hostPath volume"
    for container in pods.containers:
        context = at(container.document, "securityContext")
        if at(context, "privileged") is True:
            yield "privileged"


RULE = Rule(
    name="privileged-pods",
    description="No pod is privileged but those that install the NVIDIA driver.",
    level="mandatory",
    scope="resource",
    parameters=PrivilegedPodsParameters,
    check=_check,
)
