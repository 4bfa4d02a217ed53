"""Attack: who has taken the controller of sick GPUs over lures pods to a node, or ends a scheduler.

RBAC lets it patch nodes, and delete pods of teams. A real API server judges by its policy.
"""

from collections.abc import Iterator
from copy import deepcopy

import httpx
import pytest

from components.gpu_health import NAME
from daskfleet.contract.nodes import ACCELERATOR_LABEL
from manifests.gpu_health_rights import POLICY, cluster_rules, policy, team_rules
from manifests.policy_binding import policy_binding
from rehearsal.control_plane import ControlPlane
from tests.attacks.team_of_members import ADMISSION, DRY_RUN, RBAC, Answer, answer, until
from tests.rehearsal.control_plane.conftest import ApiClient, Document
from tests.rights import attributes_of

pytestmark = pytest.mark.rehearsal

HOME, TEAM, OTHER = "where-gpu-health-runs", "with-gpus", "of-no-team"
USER = f"system:serviceaccount:{HOME}:{NAME}"
GPU_NODE, CPU_NODE = "gke-gpus-1", "gke-cpus-1"
MERGE = "application/merge-patch+json"
CORDON: Document = {
    "metadata": {"annotations": {"health.daskfleet/why": "XID 79"}},
    "spec": {"unschedulable": True},
}
ATTACKS: dict[str, Document] = {
    "a label that lures": {"metadata": {"labels": {"dedicated": "scheduler"}}},
    "a label less": {"metadata": {"labels": {ACCELERATOR_LABEL: None}}},
    "a taint": {"spec": {"taints": [{"key": "mine", "effect": "NoSchedule"}]}},
    "a taint less": {"spec": {"taints": None}},
    "another machine": {"spec": {"providerID": "gce://other/zone/machine"}},
    "an annotation of others": {"metadata": {"annotations": {"node.alpha/ttl": "1"}}},
    "an annotation of others less": {"metadata": {"annotations": {"kept": None}}},
    "another value of one": {"metadata": {"annotations": {"kept": "no"}}},
    "a finalizer": {"metadata": {"finalizers": ["example.com/never"]}},
}


@pytest.fixture(scope="module")
def platform(control_plane: ControlPlane) -> Iterator[ApiClient]:
    """Give the platform, with two nodes, a team, and the controller's rights as the program has."""
    with ApiClient(control_plane, token=control_plane.client_token) as platform:
        for namespace in (HOME, TEAM, OTHER):
            platform.create("/api/v1/namespaces", {"metadata": {"name": namespace}})
        for name, labels in ((GPU_NODE, {ACCELERATOR_LABEL: "nvidia-a100"}), (CPU_NODE, {})):
            metadata = {"name": name, "labels": labels, "annotations": {"kept": "yes"}}
            taints = [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}]
            platform.create("/api/v1/nodes", {"metadata": metadata, "spec": {"taints": taints}})
        for role in ("worker", "scheduler"):
            platform.create(f"/api/v1/namespaces/{TEAM}/pods", pod(role))
        let_in(platform)
        yield platform


@pytest.fixture(scope="module")
def controller(control_plane: ControlPlane, platform: ApiClient) -> Iterator[httpx.Client]:
    """Give whoever has taken it over; its policy holds by now."""
    del platform
    with ApiClient(control_plane, token=control_plane.client_token) as client:
        client.headers["Impersonate-User"] = USER
        until(lambda: patches(client, GPU_NODE, ATTACKS["a taint"]).refused_by_policy)
        until(lambda: deletes(client, "scheduler").refused_by_policy)
        yield client


def let_in(platform: ApiClient) -> None:
    named = {"metadata": {"name": NAME}}
    subjects = [{"kind": "ServiceAccount", "name": NAME, "namespace": HOME}]
    role = {"apiGroup": RBAC.split("/")[2], "name": NAME}
    cluster_role = {"roleRef": {**role, "kind": "ClusterRole"}, "subjects": subjects}
    platform.create(f"{RBAC}/clusterroles", {**named, "rules": cluster_rules()})
    platform.create(f"{RBAC}/clusterrolebindings", {**named, **cluster_role})
    of_team = {"roleRef": {**role, "kind": "Role"}, "subjects": subjects}
    platform.create(f"{RBAC}/namespaces/{TEAM}/roles", {**named, "rules": team_rules()})
    platform.create(f"{RBAC}/namespaces/{TEAM}/rolebindings", {**named, **of_team})
    narrowing = {"metadata": {"name": POLICY}}
    for kind, spec in (("policies", policy(user=USER)), ("policybindings", policy_binding(POLICY))):
        platform.create(f"{ADMISSION}/validatingadmission{kind}", {**narrowing, "spec": spec})


def pod(role: str) -> Document:
    """Return a pod of Dask's; kube-scheduler finds no node for it."""
    return {
        "metadata": {"name": role, "labels": {"dask.org/component": role}},
        "spec": {
            "automountServiceAccountToken": False,
            "nodeSelector": {"no": "node"},
            "containers": [{"name": role, "image": "example.com/any"}],
        },
    }


def patches(client: httpx.Client, node: str, patch: Document) -> Answer:
    headers = {"Content-Type": MERGE}
    url = f"/api/v1/nodes/{node}"
    return answer(client.patch(url, params=DRY_RUN, json=patch, headers=headers))


def deletes(client: httpx.Client, name: str) -> Answer:
    url = f"/api/v1/namespaces/{TEAM}/pods/{name}"
    return answer(client.delete(url, params=DRY_RUN))


@pytest.mark.parametrize("what", ATTACKS)
def test_of_a_node_it_says_whether_it_takes_pods_and_nothing_else(
    platform: ApiClient, controller: httpx.Client, what: str
) -> None:
    attack = ATTACKS[what]
    with_its_work = deepcopy(CORDON)
    for part, changes in attack.items():
        with_its_work[part] = with_its_work[part] | changes
    for each in (attack, with_its_work):
        said = patches(controller, GPU_NODE, each)
        assert said.refused_by_policy, said
        assert "takes pods" in said.sentence
        # The attack works for who may do it.
        assert patches(platform, GPU_NODE, each).accepted


def test_it_cordons_a_node_with_gpus_and_lets_pods_back(controller: httpx.Client) -> None:
    assert patches(controller, GPU_NODE, CORDON).accepted
    back = {
        "metadata": {"annotations": {"health.daskfleet/why": None}},
        "spec": {"unschedulable": None},
    }
    assert patches(controller, GPU_NODE, back).accepted


def test_it_cordons_no_other_node(platform: ApiClient, controller: httpx.Client) -> None:
    assert patches(controller, CPU_NODE, CORDON).refused_by_policy
    assert patches(platform, CPU_NODE, CORDON).accepted


def test_it_ends_workers_and_no_scheduler(platform: ApiClient, controller: httpx.Client) -> None:
    said = deletes(controller, "scheduler")

    assert said.refused_by_policy, said
    assert deletes(controller, "worker").accepted
    assert deletes(platform, "scheduler").accepted


@pytest.mark.parametrize(
    "right",
    [
        *(f"{verb} nodes" for verb in ("create", "delete", "update")),
        *("patch nodes/status", "get nodes/proxy", "patch nodes/proxy"),
        *(f"{verb} pods" for verb in ("create", "patch", "update")),
        *("create pods/eviction", "create pods/exec", "get pods/log", "get secrets"),
        *("create serviceaccounts/token", "patch deployments.apps", "delete events"),
    ],
)
def test_it_has_no_other_right(controller: httpx.Client, right: str) -> None:
    assert not allowed(controller, right, TEAM)


def test_it_has_none_where_no_team_is(controller: httpx.Client) -> None:
    for right in ("list pods", "delete pods", "create events"):
        assert allowed(controller, right, TEAM)
        for elsewhere in (OTHER, HOME, "kube-system", ""):
            assert not allowed(controller, right, elsewhere)


def allowed(client: httpx.Client, right: str, namespace: str) -> bool:
    review = client.post(
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        json={"spec": {"resourceAttributes": attributes_of(right, namespace=namespace)}},
    )
    return bool(review.json()["status"]["allowed"])
