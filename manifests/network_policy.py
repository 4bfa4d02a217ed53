"""Pure: who may talk to whom in a team's namespace."""

from typing import Any

from daskfleet.contract.dask import CLUSTER_LABEL, COMM_PORT, COMPONENT_LABEL, DASHBOARD_PORT
from daskfleet.planning.monitoring import COLLECTOR_NAMESPACE
from daskfleet.settings.access import InternalLoadBalancer
from daskfleet.settings.cluster import Network
from daskfleet.settings.team import Team
from manifests.dask_worker_pod import WORKER_DASHBOARD_PORT

LabelSelector = dict[str, Any]
"""A ``metav1.LabelSelector``."""

NetworkPolicySpec = dict[str, Any]
"""The ``spec`` of a ``networking.k8s.io/v1`` NetworkPolicy."""

_SCHEDULER_PORTS = [
    {"protocol": "TCP", "port": COMM_PORT},
    {"protocol": "TCP", "port": DASHBOARD_PORT},
]
_NODE_LOCAL_RESOLVERS = [
    {"ipBlock": {"cidr": "169.254.20.10/32"}},
    {"ipBlock": {"cidr": "169.254.169.254/32"}},
]
"""NodeLocal DNSCache and Cloud DNS as pods see them; no pod selector matches these
(tektoncd/operator#4000). Which resolver a cluster has, GKE decides by version."""

_METADATA_SERVER = [
    {
        "to": [{"ipBlock": {"cidr": "169.254.169.254/32"}}],
        "ports": [{"protocol": "TCP", "port": 80}],
    },
    {
        "to": [{"ipBlock": {"cidr": "169.254.169.252/32"}}],
        "ports": [{"protocol": "TCP", "port": 988}],
    },
]
"""GKE's metadata server under Workload Identity and Dataplane V2, for tokens of Google APIs."""


def default_deny() -> NetworkPolicySpec:
    """Nothing in, nothing out, for every pod of the namespace."""
    return {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


def namespace_egress(network: Network) -> NetworkPolicySpec:
    """What every pod of the team may reach: names, Google APIs, and the world outside.

    Teams read data from anywhere, on any port. What they must not reach is each other: every
    range of the cluster is left out, so that pods, nodes and Services of others stay closed.
    """
    return {
        "podSelector": {},
        "policyTypes": ["Egress"],
        "egress": [
            {
                "to": [
                    {
                        "namespaceSelector": {
                            "matchLabels": {"kubernetes.io/metadata.name": "kube-system"}
                        },
                        # Dataplane V2 redirects to the node's cache and judges by its labels.
                        "podSelector": {
                            "matchExpressions": [
                                {
                                    "key": "k8s-app",
                                    "operator": "In",
                                    "values": ["kube-dns", "node-local-dns"],
                                }
                            ]
                        },
                    },
                    *_NODE_LOCAL_RESOLVERS,
                ],
                "ports": [{"protocol": "UDP", "port": 53}, {"protocol": "TCP", "port": 53}],
            },
            *_METADATA_SERVER,
            {
                "to": [
                    {
                        "ipBlock": {
                            "cidr": "0.0.0.0/0",
                            "except": [
                                "169.254.0.0/16",
                                str(network.nodes_cidr),
                                str(network.pods_cidr),
                                str(network.services_cidr),
                            ],
                        }
                    }
                ]
            },
        ],
    }


def dask_pods(team: Team) -> LabelSelector:
    """Select the pods of a team's Dask cluster, and of those that its members make.

    For a ``blue-green`` team those of both clusters of a roll, and whatever their names: a policy
    that named one would cut off the other. They do not mix for that: each worker calls the Service
    of its own scheduler, and knows no worker that this one has not told it of.
    """
    if team.rollout.kind == "blue-green" or team.ephemeral is not None:
        return {"matchExpressions": [{"key": CLUSTER_LABEL, "operator": "Exists"}]}
    return {"matchLabels": {CLUSTER_LABEL: team.name}}


def schedulers(team: Team) -> LabelSelector:
    """Select the scheduler among the Dask pods of a team."""
    pods = dask_pods(team)
    return {**pods, "matchLabels": {**pods.get("matchLabels", {}), COMPONENT_LABEL: "scheduler"}}


def workers(team: Team) -> LabelSelector:
    """Select the workers among the Dask pods of a team."""
    pods = dask_pods(team)
    return {**pods, "matchLabels": {**pods.get("matchLabels", {}), COMPONENT_LABEL: "worker"}}


def dask_peers(team: Team) -> NetworkPolicySpec:
    """Scheduler and workers talk among themselves on every port.

    Workers and their nannies listen on random ports.
    """
    members = {"podSelector": dask_pods(team)}
    return {
        **members,
        "policyTypes": ["Ingress", "Egress"],
        "ingress": [{"from": [members], "ports": [{"protocol": "TCP"}]}],
        "egress": [{"to": [members], "ports": [{"protocol": "TCP"}]}],
    }


def scheduler_clients(team: Team, *, operator_namespace: str) -> NetworkPolicySpec:
    """The team's own notebooks and jobs may reach the scheduler, and the operator its HTTP API.

    The scheduler runs whatever it is sent, so nobody else may. ``kubectl port-forward`` comes
    in through the node and is decided by Kubernetes' own access control.
    """
    return {
        "podSelector": schedulers(team),
        "policyTypes": ["Ingress"],
        "ingress": [
            {"from": [{"podSelector": {}}], "ports": _SCHEDULER_PORTS},
            {
                "from": [
                    {
                        "namespaceSelector": {
                            "matchLabels": {"kubernetes.io/metadata.name": operator_namespace}
                        }
                    }
                ],
                "ports": [{"protocol": "TCP", "port": DASHBOARD_PORT}],
            },
        ],
    }


def client_egress(team: Team) -> NetworkPolicySpec:
    """The other side of ``scheduler_clients``: the team's pods may call their scheduler."""
    return {
        "podSelector": {},
        "policyTypes": ["Egress"],
        "egress": [{"to": [{"podSelector": schedulers(team)}], "ports": _SCHEDULER_PORTS}],
    }


def load_balancer_clients(team: Team, balancer: InternalLoadBalancer) -> NetworkPolicySpec:
    """Clients in the VPC may reach the scheduler; the load balancer lets their addresses be seen.

    The same list as the load balancer's own: a policy of every pod must not be wider than what
    Google's firewall lets through to one of them.
    """
    sources = [{"ipBlock": {"cidr": str(source)}} for source in balancer.source_ranges]
    return {
        "podSelector": schedulers(team),
        "policyTypes": ["Ingress"],
        "ingress": [{"from": sources, "ports": _SCHEDULER_PORTS}],
    }


def metrics_collector(team: Team) -> NetworkPolicySpec:
    """Google's collectors may read what scheduler and workers tell of themselves.

    The scheduler's port is that of its dashboard and its HTTP API; nobody but Google's own agents
    runs in that namespace, which GKE keeps for itself.
    """
    return {
        "podSelector": dask_pods(team),
        "policyTypes": ["Ingress"],
        "ingress": [
            {
                "from": [
                    {
                        "namespaceSelector": {
                            "matchLabels": {"kubernetes.io/metadata.name": COLLECTOR_NAMESPACE}
                        }
                    }
                ],
                "ports": [
                    {"protocol": "TCP", "port": DASHBOARD_PORT},
                    {"protocol": "TCP", "port": WORKER_DASHBOARD_PORT},
                ],
            }
        ],
    }
