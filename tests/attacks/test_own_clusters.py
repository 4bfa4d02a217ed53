"""Attack: what a hostile member writes into a Dask cluster of their own, and what stays possible.

A real API server answers. A dry run goes through the same admission as a request that is meant.
"""

from collections.abc import Callable
from typing import Any

import pytest

from rehearsal.control_plane import ControlPlane
from tests.attacks.team_of_members import MEMBER, Document, TeamOfMembers, team_of_members
from tests.components.fleets import fleet

pytestmark = pytest.mark.rehearsal

Attack = Callable[[Document], None]


def of_worker(**changes: Any) -> Attack:
    return lambda spec: spec["worker"]["spec"].update(changes)


def of_container(**changes: Any) -> Attack:
    return lambda spec: spec["worker"]["spec"]["containers"][0].update(changes)


def of_service(**changes: Any) -> Attack:
    return lambda spec: spec["scheduler"]["service"].update(changes)


def mounting(volume: Document) -> Attack:
    def attack(spec: Document) -> None:
        pod = spec["worker"]["spec"]
        pod["volumes"].append({"name": "x", **volume})
        pod["containers"][0]["volumeMounts"].append({"name": "x", "mountPath": "/x"})

    return attack


def on_the_scheduler_pool(spec: Document) -> None:
    for key in ("affinity", "tolerations"):
        spec["worker"]["spec"][key] = spec["scheduler"]["spec"][key]


FROM_A_SECRET = {"secretKeyRef": {"name": "jupyter", "key": "token"}}

ATTACKS: dict[str, Attack] = {
    "an address on the internet": of_service(type="LoadBalancer"),
    "a port of every node": of_service(type="NodePort"),
    "traffic for somebody else's address": of_service(externalIPs=["10.0.0.1"]),
    "another name for a Service": of_service(type="ExternalName", externalName="example.com"),
    "somebody else's pods behind the Service": of_service(selector={"app": "jupyter"}),
    "a worker on the scheduler pool": on_the_scheduler_pool,
    "a worker on any node": lambda spec: spec["worker"]["spec"].pop("affinity"),
    "a node by its name": of_worker(nodeName="node-1"),
    "a node by its labels": of_worker(nodeSelector={"dedicated": "scheduler"}),
    "every taint tolerated": of_worker(tolerations=[{"operator": "Exists"}]),
    "priority over everybody": of_worker(priorityClassName="system-node-critical"),
    "another scheduler of pods": of_worker(schedulerName="mine"),
    "another service account": of_worker(serviceAccountName="default"),
    "a token of the service account": of_worker(automountServiceAccountToken=True),
    "Secrets to pull images with": of_worker(imagePullSecrets=[{"name": "somebody-elses"}]),
    "a Secret": mounting({"secret": {"secretName": "somebody-elses"}}),
    "a Secret by a projection": mounting({"projected": {"sources": []}}),
    "a variable from a Secret": of_container(env=[{"name": "X", "valueFrom": FROM_A_SECRET}]),
    "all variables of a Secret": of_container(envFrom=[{"secretRef": {"name": "jupyter"}}]),
    "a driver for disks": mounting({"csi": {"driver": "secrets-store.csi.k8s.io"}}),
    "a driver of the node's": mounting({"flexVolume": {"driver": "example.com/x"}}),
    "the home of Jupyter": mounting({"persistentVolumeClaim": {"claimName": "jupyter-home"}}),
    "files of the node": mounting({"hostPath": {"path": "/"}}),
    "the network of the node": of_worker(hostNetwork=True),
    "a container as root": of_container(securityContext={"privileged": True}),
    "a port of the node": of_container(ports=[{"containerPort": 80, "hostPort": 80}]),
    "a container beside": of_worker(initContainers=[{"name": "x", "image": "x"}]),
    "two containers": lambda spec: spec["worker"]["spec"]["containers"].append({"name": "x"}),
    "no container": of_worker(containers=[]),
    "labels of other pods": lambda spec: spec["worker"].update(metadata={"labels": {"a": "b"}}),
    "too many workers": lambda spec: spec["worker"].update(replicas=3),
    "a cluster for ever": lambda spec: spec.update(idleTimeout=0),
}


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=list(ATTACKS))
def test_a_cluster_of_a_members_own_cannot_bring(team: TeamOfMembers, attack: Attack) -> None:
    own = team.spec()
    attack(own["spec"])
    said = team.creates(own)

    assert said.refused_by_policy, said
    assert "resulted in error" not in said.message


METADATA: dict[str, Document] = {
    "what injects a container": {"annotations": {"gke-gcsfuse/volumes": "true"}},
    "what the operator remembers": {"annotations": {"kopf.zalando.org/x": "{}"}},
    "what stops its deletion": {"finalizers": ["example.com/x"]},
    "an owner": {"ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "x", "uid": "x"}]},
    "labels of Pulumi's": {"labels": {"app.kubernetes.io/part-of": "daskfleet"}},
    "labels that others select": {"labels": {"app": "jupyter"}},
    "no labels, and nobody to bill": {"labels": {}},
}


@pytest.mark.parametrize("metadata", METADATA.values(), ids=list(METADATA))
def test_its_metadata_cannot_bring(team: TeamOfMembers, metadata: Document) -> None:
    own = team.spec()
    own["metadata"] |= metadata
    said = team.creates(own)

    assert said.refused_by_policy, said
    assert "resulted in error" not in said.message


@pytest.mark.parametrize("quantity", ["0", "-1", "12", "78Gi", "1e3", "lots", ""])
@pytest.mark.parametrize("name", ["cpu", "memory"])
def test_resources_are_more_than_none_and_up_to_the_teams(
    team: TeamOfMembers, name: str, quantity: str
) -> None:
    own = team.spec()
    container = own["spec"]["worker"]["spec"]["containers"][0]
    container["resources"]["requests"][name] = quantity
    if name == "memory":
        container["resources"]["limits"][name] = quantity
    said = team.creates(own)

    small = name == "memory" and quantity in {"12", "1e3"}
    assert said.accepted is small, said
    assert small or "requests.cpu must be more than 0 and up to 11" in said.sentence


def test_memory_is_not_promised_twice(team: TeamOfMembers) -> None:
    own = team.spec()
    own["spec"]["worker"]["spec"]["containers"][0]["resources"]["requests"]["memory"] = "1Gi"

    assert "limits.memory must be the same" in team.creates(own).sentence


@pytest.mark.parametrize("name", ["alpha", "alpha-0123abcd"])
def test_the_fixed_clusters_names_are_kept(team: TeamOfMembers, name: str) -> None:
    assert "This name is kept" in team.creates(team.spec(name=name)).sentence


def test_a_name_that_kubernetes_makes_up_is_judged_as_any_other(team: TeamOfMembers) -> None:
    own = team.spec()
    own["metadata"] |= {"name": None, "generateName": "alpha-"}
    own["spec"]["worker"]["spec"]["priorityClassName"] = "system-node-critical"
    said = team.creates(own)

    assert said.refused_by_policy, said
    assert "resulted in error" not in said.message


def test_a_status_is_not_made_up(team: TeamOfMembers) -> None:
    said = team.creates(team.spec() | {"status": {"phase": "Running"}})

    assert "status belong to Kubernetes and the operator" in said.sentence


def test_what_is_published_is_accepted_with_what_a_member_chooses(team: TeamOfMembers) -> None:
    own = team.spec(name="alpha-notebook", workers=2, idle_timeout_s=60)
    last_applied = {"kubectl.kubernetes.io/last-applied-configuration": "{}"}
    own["metadata"]["annotations"] = last_applied
    for part in ("scheduler", "worker"):
        (container,) = own["spec"][part]["spec"]["containers"]
        container["image"] = "europe-docker.pkg.dev/example/own/image:tag"
        container["args"] += ["--verbose"]
        container["env"] += [{"name": "CUDF_SPILL", "value": "on"}]
        container["resources"]["requests"] |= {"cpu": "500m", "memory": "1Gi"}
        container["resources"]["limits"] |= {"memory": "1024Mi"}

    assert team.creates(own).accepted, team.creates(own).message
    assert team.creates(team.spec()).accepted


def test_a_long_list_is_judged_to_its_end(team: TeamOfMembers) -> None:
    """The API server gives an expression a budget; more than fits is refused, never let through."""
    own = team.spec()
    (container,) = own["spec"]["worker"]["spec"]["containers"]
    container["env"] = [{"name": f"X{n}", "value": "x" * 100} for n in range(2000)]
    assert team.creates(own).accepted, team.creates(own).message

    container["env"] += [{"name": "LAST", "valueFrom": FROM_A_SECRET}]
    assert "variables with name and value" in team.creates(own).sentence


def autoscaler(**spec: Any) -> Document:
    """Write what ``KubeCluster.adapt`` of dask_kubernetes 2026.3.0 sends."""
    metadata = {"dask.org/cluster-name": "alpha-grace", "dask.org/component": "autoscaler"}
    return {
        "apiVersion": "kubernetes.dask.org/v1",
        "kind": "DaskAutoscaler",
        "metadata": {"name": "alpha-grace", **metadata},
        "spec": {"cluster": "alpha-grace", "minimum": 0, "maximum": 2, **spec},
    }


def test_a_cluster_adapts_within_the_teams_room(team: TeamOfMembers) -> None:
    assert team.creates(autoscaler(), plural="daskautoscalers").accepted
    for refused in ({"maximum": 3}, {"minimum": -1}, {"cluster": "alpha"}, {"cluster": "other"}):
        said = team.creates(autoscaler(**refused), plural="daskautoscalers")
        assert said.refused_by_policy, (refused, said)


POOLS = [
    {"name": "a100", "node_count": 4},
    {"name": "cpu", "machine_type": "e2-standard-8", "accelerator": "none", "node_count": 2},
]
ON_CPUS = {"worker_pool": "cpu", "worker": {"cpu": 2, "memory_gib": 4, "shm_gib": 1}}
SECRETS = [{"name": "warehouse"}, {"name": "lake", "kind": "environment"}]

TEAMS: dict[str, Document] = {
    "tls": {"tls": True},
    "blue-green": {"rollout": {"kind": "blue-green"}},
    "fallback": {"scheduler": {"fallback": "worker-pool"}},
    "adaptive": {"adaptive": {"minimum": 0, "maximum": 2}},
    "on-cpus": ON_CPUS,
    "secrets": {"secrets": SECRETS, "pull_secret": "acme"},
}


@pytest.mark.parametrize("kind", TEAMS)
def test_every_team_can_make_what_its_template_says(control_plane: ControlPlane, kind: str) -> None:
    common = {
        "name": kind,
        "worker_pool": "a100",
        "members": [MEMBER],
        "ephemeral": {"max_workers": 1},
    }
    plan = fleet(
        scheduler_pool={"machine_type": "n1-standard-8", "schedulers_per_gpu": 4},
        worker_pools=POOLS,
        teams=[common | TEAMS[kind]],
    ).teams[0]
    with team_of_members(control_plane, plan) as team:
        own = team.spec()
        assert team.creates(own).accepted, team.creates(own).message
        own["spec"]["worker"]["spec"]["priorityClassName"] = "system-node-critical"
        assert "template: spec.worker.spec.priorityClassName." in team.creates(own).sentence
