"""Unit: who may talk to whom in a team's namespace."""

from typing import Any

from manifests import network_policy
from manifests.dask_manifest import scheduler_selector
from tests.components.fleets import alpha, fleet


def test_nothing_is_allowed_that_no_other_policy_allows() -> None:
    assert network_policy.default_deny() == {
        "podSelector": {},
        "policyTypes": ["Ingress", "Egress"],
    }


def test_the_world_outside_is_open_and_every_range_of_the_cluster_is_not() -> None:
    network = fleet().stack.network
    (block,) = (
        peer["ipBlock"]
        for rule in network_policy.namespace_egress(network)["egress"]
        for peer in rule["to"]
        if peer.get("ipBlock", {}).get("cidr") == "0.0.0.0/0"
    )

    assert {str(network.nodes_cidr), str(network.pods_cidr), str(network.services_cidr)} <= set(
        block["except"]
    )


def test_names_resolve_whichever_resolver_gke_gives_the_cluster() -> None:
    (rule,) = (
        rule
        for rule in network_policy.namespace_egress(fleet().stack.network)["egress"]
        if {"protocol": "UDP", "port": 53} in rule.get("ports", ())
    )
    addresses = {peer["ipBlock"]["cidr"] for peer in rule["to"] if "ipBlock" in peer}
    (pods,) = (peer["podSelector"] for peer in rule["to"] if "podSelector" in peer)

    assert addresses == {"169.254.20.10/32", "169.254.169.254/32"}
    assert pods["matchExpressions"][0]["values"] == ["kube-dns", "node-local-dns"]


def test_peers_are_the_pods_of_the_same_cluster_and_no_others() -> None:
    policy = network_policy.dask_peers(alpha().team)
    members = {"podSelector": {"matchLabels": {"dask.org/cluster-name": "alpha"}}}

    assert [rule["from"] for rule in policy["ingress"]] == [[members]]
    assert [rule["to"] for rule in policy["egress"]] == [[members]]
    assert policy["podSelector"] == members["podSelector"]


def selects(selector: dict[str, Any], labels: dict[str, str]) -> bool:
    return selector.get("matchLabels", {}).items() <= labels.items() and all(
        expression["operator"] == "Exists" and expression["key"] in labels
        for expression in selector.get("matchExpressions", ())
    )


def test_both_clusters_of_a_blue_green_roll_are_let_work_and_nothing_else_is() -> None:
    team = alpha(rollout="blue-green").team
    peers = network_policy.dask_peers(team)["podSelector"]
    callees = network_policy.scheduler_clients(team, operator_namespace="o")["podSelector"]
    (reachable,) = network_policy.client_egress(team)["egress"][0]["to"]

    for name in ("alpha", "alpha-0a1b2c3d", "alpha-4e5f6a7b"):
        worker = {"dask.org/cluster-name": name, "dask.org/component": "worker"}
        assert selects(peers, scheduler_selector(name))
        assert selects(peers, worker)
        assert selects(callees, scheduler_selector(name))
        assert selects(reachable["podSelector"], scheduler_selector(name))
        assert not selects(callees, worker)
    assert not selects(peers, {"app": "notebook"})


def callers(policy: dict[str, Any]) -> list[dict[str, Any]]:
    return [peer for rule in policy["ingress"] for peer in rule["from"]]


def test_the_scheduler_answers_its_own_namespace_and_the_operator_only() -> None:
    policy = network_policy.scheduler_clients(alpha().team, operator_namespace="dask-operator")

    assert policy["podSelector"]["matchLabels"] == scheduler_selector("alpha")
    assert callers(policy) == [
        {"podSelector": {}},
        {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "dask-operator"}}},
    ]
    assert [[port["port"] for port in rule["ports"]] for rule in policy["ingress"]] == [
        [8786, 8787],
        [8787],  # the operator speaks no Dask protocol
    ]


def test_a_client_may_leave_for_the_very_ports_on_which_the_scheduler_lets_it_in() -> None:
    inward, _ = network_policy.scheduler_clients(alpha().team, operator_namespace="o")["ingress"]
    (outward,) = network_policy.client_egress(alpha().team)["egress"]

    assert inward["ports"] == outward["ports"]
    assert {port["port"] for port in outward["ports"]} == {8786, 8787}
