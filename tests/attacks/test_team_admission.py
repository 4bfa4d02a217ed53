"""Attack: who has taken the operator over opens a team's namespace; a member scales without end.

RBAC lets the operator create and patch Services, and members scale; the team has no ``quota``. A
real API server judges by the program's policy, which holds in teams' namespaces alone.
"""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from manifests.team_admission import LEAST_BOUND, most_workers
from manifests.team_members import member_rules, subject
from rehearsal.control_plane import ControlPlane
from tests.attacks.operators_reach import OperatorsReach, smallest_cluster, smallest_group
from tests.attacks.team_of_members import DASK, DRY_RUN, MEMBER, RBAC, Answer, answer, until
from tests.components.fleets import fleet
from tests.rehearsal.control_plane.conftest import ApiClient, Document

pytestmark = pytest.mark.rehearsal

TEAM, UNDEFENDED = "with-services", "no-teams"
INTERNAL = {"networking.gke.io/load-balancer-type": "Internal"}
GLOBAL_ACCESS = "networking.gke.io/internal-load-balancer-allow-global-access"
MERGE = "application/merge-patch+json"


def service(name: str = "door", annotations: Document | None = None, **spec: Any) -> Document:
    ports = [{"name": "tcp-comm", "port": 8786}]
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name, "annotations": annotations or {}},
        "spec": {"ports": ports, "selector": {"dask.org/component": "scheduler"}, **spec},
    }


def services(namespace: str) -> str:
    return f"/api/v1/namespaces/{namespace}/services"


def creates(client: ApiClient, document: Document, *, namespace: str = TEAM) -> Answer:
    return answer(client.post(services(namespace), params=DRY_RUN, json=document))


def patches(
    client: ApiClient, name: str, patch: object, *, form: str = MERGE, **params: str
) -> Answer:
    headers, asked = {"Content-Type": form}, {**DRY_RUN, **params}
    url = f"{services(TEAM)}/{name}"
    return answer(client.patch(url, params=asked, json=patch, headers=headers))


@pytest.fixture(scope="module")
def reach(operator: OperatorsReach) -> OperatorsReach:
    """Give the operator a team with a Service and an address, and a namespace that is no team's.

    Both have a group of workers.
    """
    operator.let_in(TEAM)
    operator.let_in(UNDEFENDED, labels={})
    until(lambda: creates(operator.operator, service(type="NodePort")).refused_by_policy)
    for inside in (service("dask"), service("address", INTERNAL, type="LoadBalancer")):
        operator.platform.create(services(TEAM), inside)
    for namespace in (TEAM, UNDEFENDED):
        operator.platform.create(
            f"{DASK}/namespaces/{namespace}/daskworkergroups", smallest_group("climate")
        )
    return operator


OPEN: dict[str, Document] = {
    "an address on the internet": {"type": "LoadBalancer"},
    "a load balancer that says it is internal": {"type": "LoadBalancer", "annotations": INTERNAL},
    "a port of every node": {"type": "NodePort"},
    "traffic for somebody else's address": {"externalIPs": ["10.0.0.1"]},
    "another name for a Service": {"type": "ExternalName", "externalName": "example.com"},
}


@pytest.mark.parametrize("what", OPEN)
def test_a_taken_over_operator_opens_no_team(reach: OperatorsReach, what: str) -> None:
    attack = service(**OPEN[what])
    said = creates(reach.operator, attack)

    assert said.refused_by_policy, said
    assert "must have type ClusterIP and no externalIPs" in said.sentence
    # The attack works where nothing defends, and the platform makes what it has to.
    assert creates(reach.operator, attack, namespace=UNDEFENDED).accepted
    assert creates(reach.platform, attack).accepted


WAYS: dict[str, tuple[str, object, dict[str, str]]] = {
    "merge": (MERGE, {"spec": {"type": "NodePort"}}, {}),
    "strategic merge": (
        "application/strategic-merge-patch+json",
        {"spec": {"externalIPs": ["10.0.0.1"]}},
        {},
    ),
    "JSON": (
        "application/json-patch+json",
        [{"op": "replace", "path": "/spec/type", "value": "LoadBalancer"}],
        {},
    ),
    "server-side apply": (
        "application/apply-patch+yaml",
        service("dask", type="LoadBalancer"),
        {"fieldManager": "intruder", "force": "true"},
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_nor_by_a_patch_of_a_service_that_is_there(reach: OperatorsReach, way: str) -> None:
    form, patch, params = WAYS[way]
    said = patches(reach.operator, "dask", patch, form=form, **params)

    assert said.refused_by_policy, said
    assert patches(reach.platform, "dask", patch, form=form, **params).accepted


@pytest.mark.parametrize(
    "patch",
    [
        {"metadata": {"annotations": dict.fromkeys(INTERNAL)}},
        {"metadata": {"annotations": None}},
        {"metadata": {"annotations": {GLOBAL_ACCESS: "true"}}},
        {"spec": {"loadBalancerSourceRanges": ["0.0.0.0/0"]}},
        {"spec": {"selector": {"app": "jupyter"}}},
        {"spec": {"externalIPs": ["10.0.0.1"]}},
    ],
    ids=[
        "onto the internet",
        "no annotations",
        "from any region",
        "for everybody",
        "other pods",
        "another address",
    ],
)
def test_the_address_in_the_vpc_stays_what_it_is(reach: OperatorsReach, patch: Document) -> None:
    said = patches(reach.operator, "address", patch)

    assert said.refused_by_policy, said
    assert patches(reach.platform, "address", patch).accepted


def test_what_the_operator_and_googles_controllers_do_is_accepted(reach: OperatorsReach) -> None:
    noted = {"metadata": {"annotations": {"example.com/x": "y"}, "finalizers": ["example.com/x"]}}
    for name in ("dask", "address"):
        assert patches(reach.operator, name, noted).accepted
    assert patches(reach.operator, "dask", {"spec": {"selector": {"a": "b"}}}).accepted
    assert creates(reach.operator, service()).accepted
    assert creates(reach.operator, service(clusterIP="None")).accepted


def test_it_writes_no_status_either(reach: OperatorsReach) -> None:
    status = {"status": {"loadBalancer": {"ingress": [{"ip": "10.0.0.1"}]}}}
    refused = reach.operator.patch(
        f"{services(TEAM)}/dask/status",
        params=DRY_RUN,
        json=status,
        headers={"Content-Type": MERGE},
    )
    assert refused.status_code == httpx.codes.FORBIDDEN


@pytest.fixture(scope="module")
def member(control_plane: ControlPlane, reach: OperatorsReach) -> Iterator[httpx.Client]:
    """Let a member in as the program does."""
    named = {"metadata": {"name": "members"}}
    role = {"apiGroup": RBAC.split("/")[2], "kind": "Role", "name": "members"}
    bound = {**named, "roleRef": role, "subjects": [subject(MEMBER)]}
    rules = {**named, "rules": member_rules(may_scale=True)}
    for namespace in (TEAM, UNDEFENDED):
        reach.platform.create(f"{RBAC}/namespaces/{namespace}/roles", rules)
        reach.platform.create(f"{RBAC}/namespaces/{namespace}/rolebindings", bound)
    with ApiClient(control_plane, token=control_plane.client_token) as client:
        client.headers["Impersonate-User"] = MEMBER.partition(":")[2]
        yield client


def scales(
    client: httpx.Client, replicas: int, *, namespace: str = TEAM, form: str = MERGE
) -> Answer:
    """Ask as ``kubectl scale`` does."""
    url = f"{DASK}/namespaces/{namespace}/daskworkergroups/climate-default/scale"
    patch = {"spec": {"replicas": replicas}}
    headers = {"Content-Type": form}
    return answer(client.patch(url, params=DRY_RUN, json=patch, headers=headers))


@pytest.mark.parametrize("replicas", [LEAST_BOUND + 1, 2**31 - 1])
def test_a_member_scales_to_no_number_that_fills_the_control_plane(
    member: httpx.Client, reach: OperatorsReach, replicas: int
) -> None:
    said = scales(member, replicas)

    assert said.refused_by_policy, said
    assert f"No team of this fleet may have more than {LEAST_BOUND} workers" in said.sentence
    # The operator would make so many Deployments, whatever a quota says of their pods.
    assert scales(member, replicas, namespace=UNDEFENDED).accepted
    assert scales(reach.platform, replicas).accepted
    for fewer in (0, 1, LEAST_BOUND):
        assert scales(member, fewer).accepted


@pytest.mark.parametrize("replicas", [LEAST_BOUND + 1, 2**31 - 1])
def test_nor_does_the_operator(reach: OperatorsReach, replicas: int) -> None:
    cluster = smallest_cluster("other")
    cluster["spec"]["worker"]["replicas"] = replicas
    collection = f"{DASK}/namespaces/{TEAM}/daskclusters"
    group = f"{DASK}/namespaces/{TEAM}/daskworkergroups/climate-default"
    grown = {"spec": {"worker": {"replicas": replicas}}}
    headers = {"Content-Type": MERGE}

    assert answer(reach.operator.post(collection, params=DRY_RUN, json=cluster)).refused_by_policy
    assert answer(
        reach.operator.patch(group, params=DRY_RUN, json=grown, headers=headers)
    ).refused_by_policy


def test_the_bound_is_more_than_any_team_declares_and_seldom_another() -> None:
    pools = [
        {"name": "a100", "machine_type": "a2-highgpu-8g", "gpus_per_node": 8, "node_count": 20}
    ]
    bounds = {
        workers: most_workers(
            fleet(worker_pools=pools, teams=[{"name": "alpha", "workers": workers}]).teams
        )
        for workers in (0, 1, 63, 64, 127)
    }

    assert bounds == {0: LEAST_BOUND, 1: LEAST_BOUND, 63: LEAST_BOUND, 64: 128, 127: 128}
    assert most_workers([]) == LEAST_BOUND
