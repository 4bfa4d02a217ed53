"""What docs/governance.md says of the program's objects, asked of the program without the tools."""

from typing import Any

import pytest

from policies.pods import PLACES
from tests.policies.fleets import Fleet, recorded

INSTALLER = "nvidia-driver-installer"
Pods = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def fleet() -> Fleet:
    """Two teams with images pulled ahead."""
    return recorded(image_prepull=True)


@pytest.fixture(scope="module")
def pods(fleet: Fleet) -> Pods:
    """Specifications of all pods that the program declares, by resource and part."""
    found: Pods = {}
    for each in fleet.resources:
        for part, path in PLACES.get(str(each.properties.get("kind")), {}).items():
            spec: Any = each.properties
            for step in path:
                spec = spec[step]
            found[f"{each.name} {part}".strip()] = spec
    return found


def _containers(pod: dict[str, Any]) -> list[dict[str, Any]]:
    return [*pod.get("initContainers", []), *pod["containers"]]


def test_there_are_pods_to_ask(pods: Pods) -> None:
    assert {INSTALLER, "alpha-dask-cluster scheduler", "alpha-dask-cluster worker"} <= set(pods)


def _is_restricted(pod: dict[str, Any]) -> bool:
    """Whether a pod meets what the restricted profile's policies ask."""
    context = pod.get("securityContext", {})
    return (
        not any(pod.get(key) for key in ("hostNetwork", "hostPID", "hostIPC"))
        and not any("hostPath" in volume for volume in pod.get("volumes", []))
        and context.get("seccompProfile", {}).get("type") == "RuntimeDefault"
        and all(
            not own.get("privileged")
            and own.get("allowPrivilegeEscalation") is False
            and own.get("capabilities", {}).get("drop") == ["ALL"]
            and (own.get("runAsNonRoot") or context.get("runAsNonRoot"))
            for own in (each.get("securityContext", {}) for each in _containers(pod))
        )
    )


def test_the_driver_installer_alone_needs_an_exemption_from_pod_security(pods: Pods) -> None:
    assert [name for name, pod in pods.items() if not _is_restricted(pod)] == [INSTALLER]


def test_the_exemption_meets_the_installer_by_namespace_and_label(fleet: Fleet) -> None:
    (installer,) = [each for each in fleet.resources if each.name == INSTALLER]
    metadata = installer.properties["metadata"]
    assert (metadata["namespace"], metadata["name"]) == ("kube-system", INSTALLER)
    template = installer.properties["spec"]["template"]["metadata"]
    assert template["labels"]["app.kubernetes.io/name"] == INSTALLER


def test_every_container_has_a_memory_limit_and_requests_and_none_a_cpu_limit(pods: Pods) -> None:
    for pod in pods.values():
        for each in _containers(pod):
            assert "memory" in each["resources"]["limits"]
            assert {"cpu", "memory"} <= set(each["resources"]["requests"])
            assert "cpu" not in each["resources"]["limits"]


def test_the_labels_of_a_team_are_on_its_namespace(fleet: Fleet) -> None:
    (namespace,) = [each for each in fleet.resources if each.name == "alpha-namespace"]
    assert namespace.properties["metadata"]["labels"]["cost-center"] == "cc-1"
