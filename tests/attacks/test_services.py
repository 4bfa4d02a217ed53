"""Attack: who has taken the operator over opens a team's namespace with a Service.

RBAC lets the operator create and patch Services, and the team has no ``quota``. A real API server
judges by the program's policy, which holds in teams' namespaces alone.
"""

from typing import Any

import httpx
import pytest

from tests.attacks.operators_reach import OperatorsReach
from tests.attacks.team_of_members import DRY_RUN, Answer, answer, until
from tests.rehearsal.control_plane.conftest import ApiClient, Document

pytestmark = pytest.mark.rehearsal

TEAM, UNDEFENDED = "with-services", "no-teams"
INTERNAL = {"networking.gke.io/load-balancer-type": "Internal"}
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
    """Give the operator a team with a Service and an address, and a namespace that is no team's."""
    operator.let_in(TEAM)
    operator.let_in(UNDEFENDED, labels={})
    until(lambda: creates(operator.operator, service(type="NodePort")).refused_by_policy)
    for inside in (service("dask"), service("address", INTERNAL, type="LoadBalancer")):
        operator.platform.create(services(TEAM), inside)
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
    assert "has type ClusterIP and no externalIPs" in said.sentence
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
        {"spec": {"loadBalancerSourceRanges": ["0.0.0.0/0"]}},
        {"spec": {"selector": {"app": "jupyter"}}},
        {"spec": {"externalIPs": ["10.0.0.1"]}},
    ],
    ids=["onto the internet", "no annotations", "for everybody", "other pods", "another address"],
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
