"""What docs/governance.md says of the program's objects, asked of the program without the tools."""

from fnmatch import fnmatch
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt

from policies.declared import Declared
from policies.pods import PLACES
from tests.policies.fleets import SETTINGS, Fleet, recorded
from tests.project import PROJECT_DIR

INSTALLER = "nvidia-driver-installer"
NOTEBOOKS = {"alpha-jupyter", "alpha.alice-jupyter"}
DASK = {
    f"{team}-dask-cluster {part}" for team in ("alpha", "beta") for part in ("scheduler", "worker")
}
Pods = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def fleet() -> Fleet:
    """The two teams of the page, one with JupyterLab for a person and TLS; images pulled ahead."""
    first, second = SETTINGS["teams"]
    alice = {"name": "alice", "member": "user:alice@example.com"}
    jupyter = {"cpu": 0.5, "memory_gib": 2, "people": [alice]}
    more = {"jupyter": jupyter, "tls": True, "members": ["user:alice@example.com"]}
    return recorded(image_prepull=True, teams=[{**first, **more}, second])


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


def _pulls(pods: Pods) -> set[str]:
    return {name for name in pods if name.startswith("image-prepull-")}


def _having(pods: Pods, container_key: str) -> set[str]:
    """Pods of which every container that runs on has this key."""
    return {
        name for name, pod in pods.items() if all(container_key in c for c in pod["containers"])
    }


def test_the_pods_that_are_asked_about_are_those_of_the_page(pods: Pods) -> None:
    assert _pulls(pods)
    assert set(pods) == {INSTALLER, *NOTEBOOKS, *DASK, *_pulls(pods)}


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


def _of_the_page(key: str) -> dict[str, Any]:
    """The page's YAML that begins with this key."""
    tokens = MarkdownIt().parse((PROJECT_DIR / "docs" / "governance.md").read_text("utf-8"))
    written = [yaml.safe_load(each.content) for each in tokens if each.info == "yaml"]
    (found,) = [each for each in written if next(iter(each)) == key]
    return dict(found)


def _objects(fleet: Fleet) -> list[Declared]:
    """What has a name at the API server."""
    return [each for each in fleet.resources if "metadata" in each.properties]


def test_the_exemption_for_kyverno_meets_the_installer_and_no_other_object(fleet: Fleet) -> None:
    (match,) = _of_the_page("apiVersion")["spec"]["match"]["any"]
    exempt = match["resources"]

    def is_exempt(each: Declared) -> bool:
        metadata = each.properties["metadata"]
        return (
            each.properties["kind"] in exempt["kinds"]
            and metadata.get("namespace") in exempt["namespaces"]
            and any(fnmatch(metadata["name"], name) for name in exempt["names"])
        )

    assert [each.name for each in _objects(fleet) if is_exempt(each)] == [INSTALLER]


def test_the_exemption_for_gatekeeper_meets_the_installer_s_pods_and_no_others(
    fleet: Fleet,
) -> None:
    (expression,) = _of_the_page("labelSelector")["labelSelector"]["matchExpressions"]
    assert expression["operator"] == "NotIn"
    workloads = [each for each in _objects(fleet) if each.properties["kind"] in PLACES]
    exempt = [
        each.name
        for each in workloads
        for labels in (
            each.properties["metadata"].get("labels") or {},
            each.properties["spec"].get("template", {}).get("metadata", {}).get("labels") or {},
        )
        if labels.get(expression["key"]) in expression["values"]
    ]
    assert exempt == [INSTALLER, INSTALLER]  # the DaemonSet and its pods


def test_the_installer_and_dask_and_jupyter_write_beside_their_mounts(pods: Pods) -> None:
    writing = {
        name
        for name, pod in pods.items()
        if not all(
            each.get("securityContext", {}).get("readOnlyRootFilesystem")
            for each in _containers(pod)
        )
    }
    assert writing == {INSTALLER, *DASK, *NOTEBOOKS}


def test_no_container_has_a_limit_of_ephemeral_storage(pods: Pods) -> None:
    for pod in pods.values():
        assert not any(
            "ephemeral-storage" in each["resources"]["limits"] for each in _containers(pod)
        )


def test_all_but_what_waits_is_named_by_its_tag(pods: Pods) -> None:
    images = {each["image"] for pod in pods.values() for each in _containers(pod)}
    assert {image.partition("@")[0] for image in images if "@sha256:" in image} == {
        "registry.k8s.io/pause:3.10"
    }
    for name in {INSTALLER, *DASK, *NOTEBOOKS, *_pulls(pods)}:
        assert any("@" not in each["image"] for each in _containers(pods[name])), name
    assert not any(":" not in image or image.endswith(":latest") for image in images)


def test_which_pods_have_no_probes(pods: Pods) -> None:
    prepares = {INSTALLER, *_pulls(pods)}
    probes = {key: _having(pods, f"{key}Probe") for key in ("startup", "readiness", "liveness")}
    assert set(pods) - set().union(*probes.values()) == prepares
    workers = {name for name in DASK if name.endswith("worker")}
    assert set(pods) - (probes["readiness"] & probes["liveness"]) == {
        *(prepares | workers | NOTEBOOKS)
    }


def test_jupyterlab_is_one_process(fleet: Fleet) -> None:
    deployments = [each for each in _objects(fleet) if each.properties["kind"] == "Deployment"]
    assert {each.name: each.properties["spec"]["replicas"] for each in deployments} == (
        dict.fromkeys(NOTEBOOKS, 1)
    )


def test_no_pod_of_the_program_has_a_token(pods: Pods) -> None:
    assert {pod["automountServiceAccountToken"] for pod in pods.values()} == {False}


def test_which_roles_read_secrets_and_that_each_names_them(fleet: Fleet) -> None:
    rules = [
        (each.properties["metadata"]["name"], rule)
        for each in _objects(fleet)
        for rule in each.properties.get("rules", ())
    ]
    of_secrets = {name: rule for name, rule in rules if "secrets" in rule["resources"]}
    assert set(of_secrets) == {"member", "jupyter-token-reader", "jupyter-alice-token-reader"}
    assert all(rule["resourceNames"] for rule in of_secrets.values())
    wild = [name for name, rule in rules if any("*" in value for value in rule.values())]
    assert wild == []


def test_pods_with_a_pool_choose_their_nodes(pods: Pods) -> None:
    assert {name for name, pod in pods.items() if "affinity" in pod} == set(pods)


def test_homes_of_notebooks_are_read_write_once(fleet: Fleet) -> None:
    claims = [
        each for each in _objects(fleet) if each.properties["kind"] == "PersistentVolumeClaim"
    ]
    assert {each.name for each in claims} == {f"{name}-home" for name in NOTEBOOKS}
    assert all(each.properties["spec"]["accessModes"] == ["ReadWriteOnce"] for each in claims)


def test_which_pods_have_an_empty_directory(pods: Pods) -> None:
    having = {
        name
        for name, pod in pods.items()
        if any("emptyDir" in volume for volume in pod.get("volumes", ()))
    }
    assert having == {*DASK, *NOTEBOOKS}


def test_nothing_is_open_to_the_outside_or_in_the_default_namespace(fleet: Fleet) -> None:
    objects = _objects(fleet)
    assert not any(each.properties["kind"] == "Ingress" for each in objects)
    assert "default" not in {each.properties["metadata"].get("namespace") for each in objects}
    services = [each.properties["spec"] for each in objects if each.properties["kind"] == "Service"]
    assert services
    assert {each["type"] for each in services} == {"ClusterIP"}
    assert not any("externalIPs" in each for each in services)


def test_every_container_has_a_memory_limit_and_requests_and_none_a_cpu_limit(pods: Pods) -> None:
    for pod in pods.values():
        for each in _containers(pod):
            assert "memory" in each["resources"]["limits"]
            assert {"cpu", "memory"} <= set(each["resources"]["requests"])
            assert "cpu" not in each["resources"]["limits"]


def test_the_labels_of_a_team_are_on_its_namespace(fleet: Fleet) -> None:
    labels = {
        each.name: each.properties["metadata"]["labels"].get("cost-center")
        for each in _objects(fleet)
        if each.properties["kind"] == "Namespace"
    }
    assert (labels["alpha-namespace"], labels["beta-namespace"]) == ("cc-1", "cc-2")
    assert (labels["dask-namespace"], labels["image-prepull"]) == (None, None)
