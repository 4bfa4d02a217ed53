"""End to end: what a team may do to another one, asked of the real API server as that team.

Requests are made by impersonation, which the API server judges as if they came from that identity.
"""

import json
from typing import Any

import pytest
from kubernetes import config
from kubernetes.dynamic import DynamicClient

from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.shell import Done, typed
from tests.rehearsal.end_to_end.waiting import until
from tests.rights import attributes_of

pytestmark = pytest.mark.rehearsal

ALICE = "alice@example.com"
"""A member of climate."""

PODS = "system:serviceaccount:climate:dask"
"""Climate's Dask pods, if one of them came by a token."""

NOBODY = "mallory@example.com"

MAY = (
    "get pods",
    "list pods",
    "watch pods",
    "get pods/log",
    "get services",
    "list events",
    "get resourcequotas",
    "list daskclusters.kubernetes.dask.org",
    "get daskworkergroups.kubernetes.dask.org",
    "create pods/portforward",
    "get pods/portforward",
    "patch daskworkergroups.kubernetes.dask.org/scale",
    "update daskworkergroups.kubernetes.dask.org/scale",
)
"""What the members of a team may do in its namespace."""

MAY_NOT = (
    "create pods",
    "delete pods",
    "create pods/exec",
    "get pods/exec",
    "create pods/attach",
    "update pods/ephemeralcontainers",
    "get secrets",
    "list secrets",
    "create serviceaccounts/token",
    "get configmaps",
    "create services",
    "delete daskclusters.kubernetes.dask.org",
    "patch daskclusters.kubernetes.dask.org",
    "patch daskworkergroups.kubernetes.dask.org",
    "delete daskworkergroups.kubernetes.dask.org",
    "create daskclusters.kubernetes.dask.org",
    "delete resourcequotas",
    "patch networkpolicies.networking.k8s.io",
    "create rolebindings.rbac.authorization.k8s.io",
)
"""What they may do in no namespace, their own among them."""

CLUSTER_WIDE = ("list nodes", "list namespaces", "list secrets", "delete namespaces", "list pods")


def allowed(fleet: RunningRehearsal, user: str, namespace: str, asked: tuple[str, ...]) -> set[str]:
    """Which of these the API server would let somebody do."""
    client = DynamicClient(config.new_client_from_config(str(fleet.cluster.kubeconfig)))
    reviews = client.resources.get(
        api_version="authorization.k8s.io/v1", kind="SubjectAccessReview"
    )
    return {
        each
        for each in asked
        if reviews.create(body=access_review(user, namespace, each)).status.allowed
    }


def access_review(user: str, namespace: str, right: str) -> dict[str, Any]:
    """The question whether somebody may do something."""
    groups = ["system:authenticated"]
    if user.startswith("system:serviceaccount:"):
        groups += ["system:serviceaccounts", f"system:serviceaccounts:{user.split(':')[2]}"]
    attributes = attributes_of(right, namespace=namespace)
    return {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "spec": {"user": user, "groups": groups, "resourceAttributes": attributes},
    }


def test_members_may_what_they_need_in_their_own_namespace_and_nothing_elsewhere(
    fleet: RunningRehearsal,
) -> None:
    assert allowed(fleet, ALICE, "climate", MAY) == set(MAY)
    assert allowed(fleet, ALICE, "climate", MAY_NOT) == set()
    for elsewhere in ("genomics", "dask-operator", "kube-system", "default"):
        assert allowed(fleet, ALICE, elsewhere, (*MAY, *MAY_NOT)) == set()
    assert allowed(fleet, ALICE, "", CLUSTER_WIDE) == set()


@pytest.mark.parametrize("user", [PODS, "system:serviceaccount:climate:default", NOBODY])
def test_pods_and_strangers_may_nothing_anywhere(fleet: RunningRehearsal, user: str) -> None:
    for namespace in ("climate", "genomics", "dask-operator", ""):
        assert allowed(fleet, user, namespace, (*MAY, *MAY_NOT)) == set()


def as_(fleet: RunningRehearsal, user: str, *arguments: str) -> Done:
    """Run kubectl as somebody else."""
    return typed(fleet, "kubectl", "--as", user, *arguments)


def scheduler_of(fleet: RunningRehearsal, team: str) -> str:
    (pod,) = (each for each in fleet.dask_pods(team).values() if each.role == "scheduler")
    return pod.name


@pytest.mark.parametrize("user", [ALICE, PODS])
def test_every_crossing_into_another_team_is_refused(fleet: RunningRehearsal, user: str) -> None:
    pod = scheduler_of(fleet, "genomics")
    group = "daskworkergroups.kubernetes.dask.org"
    crossings: dict[str, tuple[str, ...]] = {
        "see pods": ("get", "pods"),
        "read logs": ("logs", pod),
        "read secrets": ("get", "secrets"),
        "read what its members are told": ("get", "configmap", "daskfleet"),
        "exec": ("exec", pod, "--", "true"),
        "port-forward": ("port-forward", f"pod/{pod}", ":8786"),
        "delete a pod": ("delete", "pod", pod),
        "delete the cluster": ("delete", "daskcluster", "genomics"),
        "scale": ("scale", group, "genomics-default", "--replicas=0"),
        "take a token": ("create", "token", "dask"),
    }
    before = fleet.dask_pods("genomics").keys()

    for crossing, arguments in crossings.items():
        done = as_(fleet, user, "--namespace", "genomics", *arguments)
        assert done.returncode != 0, crossing
        assert "Forbidden" in done.stderr or "forbidden" in done.stderr, (crossing, done.stderr)
    assert fleet.dask_pods("genomics").keys() == before


def test_a_member_reads_what_is_posted_for_the_own_team_and_no_other_configmap(
    fleet: RunningRehearsal,
) -> None:
    told = as_(fleet, ALICE, "--namespace", "climate", "get", "configmap", "daskfleet", "-ojson")
    assert told.returncode == 0, told.stderr
    assert json.loads(json.loads(told.stdout)["data"]["notice.json"])["teams"].keys() == {"climate"}

    for arguments in (("get", "configmaps"), ("get", "configmap", "kube-root-ca.crt")):
        done = as_(fleet, ALICE, "--namespace", "climate", *arguments)
        assert "forbidden" in done.stderr, arguments
    written = ("patch", "configmap", "daskfleet", "--type=merge", '--patch={"data":{"x":"y"}}')
    assert "forbidden" in as_(fleet, ALICE, "--namespace", "climate", *written).stderr


def test_a_member_scales_the_teams_workers_down_and_up_to_what_is_declared(
    fleet: RunningRehearsal,
) -> None:
    fleet.touched()

    def scale(workers: int) -> None:
        group = "daskworkergroups.kubernetes.dask.org/climate-default"
        done = as_(fleet, ALICE, "-n", "climate", "scale", group, f"--replicas={workers}")
        assert done.returncode == 0, done.stderr

    def running() -> int:
        pods = fleet.dask_pods("climate").values()
        return sum(pod.role == "worker" and not pod.is_leaving for pod in pods)

    scale(1)
    until(lambda: running() == 1)
    scale(2)
    until(lambda: running() == 2)
    done = as_(fleet, ALICE, "-n", "climate", "delete", "daskcluster", "climate")
    assert "forbidden" in done.stderr
    fleet.seen_as_declared()  # the DaskCluster was never touched, and the workers are back


def pod(name: str, namespace: str, **spec: Any) -> dict[str, Any]:
    """A pod that Pod Security lets in, with some of its spec changed."""
    container = {
        "name": "any",
        "image": "example.com/any:1",
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "runAsNonRoot": True,
            "capabilities": {"drop": ["ALL"]},
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        **spec.pop("container", {}),
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"containers": [container], **spec},
    }


def gpus(count: int) -> dict[str, Any]:
    amounts = {"nvidia.com/gpu": str(count)}
    return {"resources": {"requests": amounts, "limits": amounts}}


def service(kind: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "door", "namespace": "genomics"},
        "spec": {"type": kind, "ports": [{"port": 8786}]},
    }


HOST_PATH = [{"name": "disk", "hostPath": {"path": "/"}}]
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "privileged": (
        pod("bad", "climate", container={"securityContext": {"privileged": True}}),
        "violates PodSecurity",
    ),
    "host network": (pod("bad", "climate", hostNetwork=True), "violates PodSecurity"),
    "host path": (pod("bad", "climate", volumes=HOST_PATH), "violates PodSecurity"),
    "another team's GPU": (pod("bad", "climate", container=gpus(1)), "exceeded quota: gpus"),
    "all GPUs": (pod("bad", "genomics", container=gpus(4)), "exceeded quota: gpus"),
    "all memory": (
        pod("bad", "genomics", container={"resources": {"limits": {"memory": "9Gi"}}}),
        "exceeded quota: team",
    ),
    "all cores": (
        pod("bad", "genomics", container={"resources": {"requests": {"cpu": "2500m"}}}),
        "exceeded quota: team",
    ),
    "a door to the outside": (service("LoadBalancer"), "exceeded quota: team"),
    "a port on every node": (service("NodePort"), "exceeded quota: team"),
}
"""What even an administrator of the cluster cannot put into a team's namespace, and why."""


def created(fleet: RunningRehearsal, document: dict[str, Any]) -> Done:
    file = fleet.workspace.directory / "one.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return typed(fleet, "kubectl", "create", "--dry-run=server", "--filename", str(file))


def test_nobody_can_starve_the_others_or_leave_a_pods_walls(fleet: RunningRehearsal) -> None:
    for namespace in ("climate", "genomics"):
        done = created(fleet, pod("good", namespace))
        assert done.returncode == 0, done.stderr

    for what, (document, why) in REFUSED.items():
        done = created(fleet, document)
        assert done.returncode != 0, what
        assert why in done.stderr, (what, done.stderr)
