"""Unit: who reaches whom, on the policies that the program declares, and on worse ones."""

from collections.abc import Sequence
from typing import Any

import pytest

from daskfleet.contract.outputs import FleetOutputs, MonitoringOutput
from daskfleet.planning.plan import TeamPlan
from manifests import network_policy
from rehearsal.report.fleet_state import Pod
from rehearsal.report.isolation_claims import teams_reach_their_own_pods_only
from rehearsal.report.model import Claim
from rehearsal.report.network_reach import NetworkReach
from tests.components.fleets import fleet
from tests.rehearsal.report.fleets import FLEET, dask_pod

OPERATOR = "dask-operator"
COLLECTORS = "gmp-system"
PLAN = fleet()
NAMESPACES = {
    name: {"kubernetes.io/metadata.name": name}
    for name in ("alpha", "beta", OPERATOR, "kube-system", "default")
}
Policies = list[dict[str, Any]]


def policies_of(plan: TeamPlan) -> Policies:
    team = plan.team
    specs = {
        "default-deny": network_policy.default_deny(),
        "egress": network_policy.namespace_egress(PLAN.stack.network),
        "dask-peers": network_policy.dask_peers(team),
        "scheduler-clients": network_policy.scheduler_clients(team, operator_namespace=OPERATOR),
        "client-egress": network_policy.client_egress(team),
    }
    return [policy(team.name, name, spec) for name, spec in specs.items()]


def policy(namespace: str, name: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {"metadata": {"name": name, "namespace": namespace}, "spec": spec}


def pod(namespace: str, name: str, *, role: str = "", **changes: Any) -> Pod:
    labels = {"dask.org/cluster-name": namespace, "dask.org/component": role} if role else {}
    fields = {"namespace": namespace, "labels": labels, "ip": "10.4.0.7", **changes}
    return dask_pod(name, role, "any", **fields)


PODS = [
    *(
        pod(team, f"{team}-{number}", role=role)
        for team in ("alpha", "beta")
        for number, role in enumerate(("scheduler", "worker", "worker"))
    ),
    pod("alpha", "alpha-notebook"),
    pod("beta", "beta-notebook"),
    pod(OPERATOR, "operator"),
    pod("default", "stranger"),
]
DECLARED = FleetOutputs.model_validate(
    {
        **FLEET.model_dump(),
        "teams": {
            name: {**FLEET.teams["climate"].model_dump(), "namespace": name, "dask_cluster": name}
            for name in ("alpha", "beta")
        },
    }
)


def declared() -> Policies:
    return [each for plan in PLAN.teams for each in policies_of(plan)]


def judged(policies: Policies, pods: Sequence[Pod] = PODS) -> Claim:
    reach = NetworkReach(policies, namespaces=NAMESPACES)
    return teams_reach_their_own_pods_only(DECLARED, pods, reach, operator_namespace=OPERATOR)


def named(name: str) -> Pod:
    (found,) = (each for each in PODS if each.name == name)
    return found


def test_the_programs_policies_keep_teams_apart_and_let_them_work() -> None:
    claim = judged(declared())

    assert claim.holds, claim.evidence
    assert claim.evidence == "72 pairs of pods judged; nothing enforces policies here"


def test_collectors_of_metrics_reach_every_dask_pod_where_the_stack_has_them() -> None:
    pods = [*PODS, pod(COLLECTORS, "collector")]
    measured = DECLARED.model_copy(
        update={"monitoring": MonitoringOutput(collector_namespace=COLLECTORS)}
    )
    let_in = [
        policy(plan.team.name, "metrics-collector", network_policy.metrics_collector(plan.team))
        for plan in PLAN.teams
    ]
    namespaces = {**NAMESPACES, COLLECTORS: {"kubernetes.io/metadata.name": COLLECTORS}}

    def claim(fleet: FleetOutputs, policies: Policies) -> Claim:
        reach = NetworkReach(policies, namespaces=namespaces)
        return teams_reach_their_own_pods_only(fleet, pods, reach, operator_namespace=OPERATOR)

    assert claim(measured, [*declared(), *let_in]).holds
    assert "collectors of metrics" in claim(measured, [*declared(), *let_in]).text
    assert not claim(measured, declared()).holds
    assert not claim(DECLARED, [*declared(), *let_in]).holds


def test_a_notebook_reaches_its_own_scheduler_and_no_worker() -> None:
    reach = NetworkReach(declared(), namespaces=NAMESPACES)
    notebook = named("alpha-notebook")

    assert reach.may_connect(notebook, named("alpha-0"))
    assert not reach.may_connect(notebook, named("alpha-1"))
    assert not reach.may_connect(notebook, named("beta-0"))


def test_no_team_gets_out_to_another_by_its_own_policies_alone() -> None:
    """The other side may be a namespace of somebody who has no policies at all."""
    reach = NetworkReach(policies_of(PLAN.teams[0]), namespaces=NAMESPACES)

    for source in PODS:
        for target in PODS:
            if source.namespace == "alpha" != target.namespace:
                assert not reach.may_connect(source, target)


def test_no_team_gets_in_to_another_by_the_others_policies_alone() -> None:
    reach = NetworkReach(policies_of(PLAN.teams[1]), namespaces=NAMESPACES)

    assert not reach.may_connect(named("alpha-0"), named("beta-0"))
    assert not reach.may_connect(named("stranger"), named("beta-1"))


OPEN: dict[str, dict[str, Any]] = {
    "to everybody": {"podSelector": {}, "ingress": [{}], "policyTypes": ["Ingress"]},
    "to every namespace": {"podSelector": {}, "ingress": [{"from": [{"namespaceSelector": {}}]}]},
    "to one port of it": {
        "podSelector": {},
        "ingress": [{"ports": [{"protocol": "TCP", "port": 8000, "endPort": 9000}]}],
    },
    "to a range of addresses": {
        "podSelector": {},
        "ingress": [{"from": [{"ipBlock": {"cidr": "10.4.0.0/14"}}]}],
    },
    "to namespaces that are not excepted": {
        "podSelector": {},
        "ingress": [
            {
                "from": [
                    {
                        "namespaceSelector": {
                            "matchExpressions": [
                                {
                                    "key": "kubernetes.io/metadata.name",
                                    "operator": "NotIn",
                                    "values": ["kube-system"],
                                }
                            ]
                        }
                    }
                ]
            }
        ],
    },
}


@pytest.mark.parametrize("opened", OPEN.values(), ids=OPEN)
def test_a_policy_that_opens_a_team_is_found(opened: dict[str, Any]) -> None:
    claim = judged([*declared(), policy("beta", "hole", opened)])

    assert not claim.holds
    assert "default/stranger may connect to beta/beta-0" in claim.evidence


@pytest.mark.parametrize("missing", ["default-deny", "dask-peers", "scheduler-clients"])
def test_a_policy_that_is_missing_is_found(missing: str) -> None:
    left = [each for each in declared() if each["metadata"]["name"] != missing]

    assert not judged(left).holds


def test_both_ends_must_allow_the_same_port() -> None:
    def one_port(number: int) -> list[dict[str, Any]]:
        return [{"ports": [{"protocol": "TCP", "port": number}]}]

    out = policy("alpha", "out", {"podSelector": {}, "policyTypes": ["Egress"]})
    into = policy("beta", "into", {"podSelector": {}, "policyTypes": ["Ingress"]})

    for outward, inward, may in ((8786, 8786, True), (8786, 8787, False)):
        out["spec"]["egress"], into["spec"]["ingress"] = one_port(outward), one_port(inward)
        reach = NetworkReach([out, into], namespaces=NAMESPACES)
        assert reach.may_connect(named("alpha-0"), named("beta-0")) is may


def test_what_has_no_address_counts_as_within_every_range() -> None:
    block = {"from": [{"ipBlock": {"cidr": "192.0.2.0/24"}}]}
    reach = NetworkReach(
        [policy("beta", "hole", {"podSelector": {}, "ingress": [block]})], namespaces=NAMESPACES
    )

    assert not reach.may_connect(named("stranger"), named("beta-0"))
    assert reach.may_connect(pod("default", "new", ip=""), named("beta-0"))
