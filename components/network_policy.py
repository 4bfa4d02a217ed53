"""Pure: who may talk to whom in a team's namespace."""

from typing import Any

from components.dask_contract import (
    CLUSTER_LABEL,
    COMM_PORT,
    COMPONENT_LABEL,
    DASHBOARD_PORT,
)
from settings.cluster import Network

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


def dask_cluster_peers(cluster_name: str) -> NetworkPolicySpec:
    """Scheduler and workers talk among themselves on every port.

    Workers and their nannies listen on random ports.
    """
    members = {"podSelector": {"matchLabels": {CLUSTER_LABEL: cluster_name}}}
    return {
        **members,
        "policyTypes": ["Ingress", "Egress"],
        "ingress": [{"from": [members], "ports": [{"protocol": "TCP"}]}],
        "egress": [{"to": [members], "ports": [{"protocol": "TCP"}]}],
    }


def scheduler_clients(cluster_name: str, *, operator_namespace: str) -> NetworkPolicySpec:
    """The team's own notebooks and jobs, and the operator, may reach the scheduler.

    The scheduler runs whatever it is sent, so nobody else may. ``kubectl port-forward`` comes
    in through the node and is decided by Kubernetes' own access control.
    """
    return {
        "podSelector": {"matchLabels": {CLUSTER_LABEL: cluster_name, COMPONENT_LABEL: "scheduler"}},
        "policyTypes": ["Ingress"],
        "ingress": [
            {
                "from": [
                    {"podSelector": {}},
                    {
                        "namespaceSelector": {
                            "matchLabels": {"kubernetes.io/metadata.name": operator_namespace}
                        }
                    },
                ],
                "ports": _SCHEDULER_PORTS,
            }
        ],
    }


def client_egress(cluster_name: str) -> NetworkPolicySpec:
    """The other side of ``scheduler_clients``: the team's pods may call their scheduler."""
    return {
        "podSelector": {},
        "policyTypes": ["Egress"],
        "egress": [
            {
                "to": [
                    {
                        "podSelector": {
                            "matchLabels": {
                                CLUSTER_LABEL: cluster_name,
                                COMPONENT_LABEL: "scheduler",
                            }
                        }
                    }
                ],
                "ports": _SCHEDULER_PORTS,
            }
        ],
    }
