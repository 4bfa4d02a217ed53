"""Which pod is the operator's, and what it asks to be run with."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

OPERATOR_LABEL = "app.kubernetes.io/name=dask-kubernetes-operator"
"""The chart's selector label; `nameOverride` is left alone."""

LIVENESS_FLAG = "--liveness="


@dataclass(frozen=True, kw_only=True)
class OperatorPod:
    """The parts of the operator's pod that decide how its process runs."""

    name: str
    uid: str
    namespace: str
    service_account: str
    image: str
    arguments: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]
    document: Mapping[str, Any] = field(repr=False)

    def arguments_here(self, *, port: int, local_paths: Callable[[str], str]) -> tuple[str, ...]:
        """Return the arguments with what is different on this machine.

        ``port``: of loopback, for the liveness probe: the pod has an address of its own; this
        machine's are not the operator's to open. ``local_paths`` says where the pod's are.
        """
        return tuple(
            f"{LIVENESS_FLAG}http://127.0.0.1:{port}/healthz"
            if argument.startswith(LIVENESS_FLAG)
            else local_paths(argument)
            for argument in self.arguments
        )


def ready_operator_pod(pods: Iterable[Mapping[str, Any]]) -> OperatorPod | None:
    """Return the operator's pod among ``pods`` (those with its label), once it is ready."""
    for pod in pods:
        if _is_ready(pod) and "deletionTimestamp" not in pod["metadata"]:
            return _operator_pod(pod)
    return None


def _is_ready(pod: Mapping[str, Any]) -> bool:
    conditions = pod.get("status", {}).get("conditions", [])
    return any(c["type"] == "Ready" and c["status"] == "True" for c in conditions)


def _operator_pod(pod: Mapping[str, Any]) -> OperatorPod:
    container = pod["spec"]["containers"][0]
    return OperatorPod(
        name=pod["metadata"]["name"],
        uid=pod["metadata"]["uid"],
        namespace=pod["metadata"]["namespace"],
        service_account=pod["spec"]["serviceAccountName"],
        image=container["image"],
        arguments=tuple(container.get("args", ())),
        environment=tuple(
            (variable["name"], variable["value"])
            for variable in container.get("env", ())
            if "value" in variable
        ),
        document=pod,
    )
