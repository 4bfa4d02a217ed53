"""The Dask operator's account on a real API server, with the rights that the program gives it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from daskfleet.contract.dask import PART_OF, PART_OF_LABEL
from manifests.operator_rights import (
    ACCOUNT,
    TEAM_ROLE,
    WATCH_ROLE,
    operators_account,
    team_rules,
    watch_rules,
)
from manifests.policy_binding import policy_binding
from manifests.team_admission import LEAST_BOUND, POLICY, team_policy
from rehearsal.control_plane import ControlPlane
from tests.attacks.team_of_members import ADMISSION, RBAC, define_kinds, until
from tests.rehearsal.control_plane.conftest import ApiClient, Document
from tests.rights import attributes_of, every_right

HOME = "the-operators-own"
USER = f"system:serviceaccount:{HOME}:{ACCOUNT}"
CLUSTER = ""
"""Where a resource has no namespace, or a right holds in all of them."""

SEEN_EVERYWHERE = {
    f"{verb} {what}"
    for verb in ("list", "watch")
    for what in (
        "customresourcedefinitions.apiextensions.k8s.io",
        "daskclusters.kubernetes.dask.org",
        "daskworkergroups.kubernetes.dask.org",
        "daskautoscalers.kubernetes.dask.org",
        "daskjobs.kubernetes.dask.org",
        "pods",
        "services",
    )
}
RELEASED_EVERYWHERE = {
    "patch daskclusters.kubernetes.dask.org",
    "patch daskautoscalers.kubernetes.dask.org",
}
"""Finalizers are released by them."""


@dataclass(frozen=True, kw_only=True)
class OperatorsReach:
    """The operator's token, and a platform engineer beside it."""

    platform: ApiClient
    operator: ApiClient
    token: str

    def let_in(self, team: str, labels: Mapping[str, str] = {PART_OF_LABEL: PART_OF}) -> None:
        """Make a team's namespace, in which the operator may work."""
        namespace = {"metadata": {"name": team, "labels": dict(labels)}}
        self.platform.create("/api/v1/namespaces", namespace)
        self.platform.create(f"{RBAC}/namespaces/{team}/rolebindings", binding(TEAM_ROLE))
        until(lambda: self.allowed(team, "create pods"))

    def allowed(self, namespace: str, right: str) -> bool:
        """Ask with the operator's token whether it might."""
        attributes = attributes_of(right, namespace=namespace)
        answer = self.operator.create(
            "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
            {"spec": {"resourceAttributes": attributes}},
        )
        return bool(answer["status"]["allowed"])

    def everything(self) -> Iterator[str]:
        """Each verb of each resource that the API server has."""
        return every_right(lambda path: dict(self.platform.get(path).json()))


@contextmanager
def operators_reach(control_plane: ControlPlane) -> Iterator[OperatorsReach]:
    """Make the operator's account and its two roles, as the program does."""
    with ApiClient(control_plane, token=control_plane.client_token) as platform:
        define_kinds(platform)
        platform.create("/api/v1/namespaces", {"metadata": {"name": HOME}})
        accounts = f"/api/v1/namespaces/{HOME}/serviceaccounts"
        platform.create(accounts, {"metadata": {"name": ACCOUNT}})
        for role, rules in ((WATCH_ROLE, watch_rules()), (TEAM_ROLE, team_rules())):
            platform.create(f"{RBAC}/clusterroles", {"metadata": {"name": role}, "rules": rules})
        platform.create(f"{RBAC}/clusterrolebindings", binding(WATCH_ROLE))
        named = {"metadata": {"name": POLICY}}
        policy, bound = team_policy(LEAST_BOUND), policy_binding(POLICY)
        for kind, spec in (("policies", policy), ("policybindings", bound)):
            platform.create(f"{ADMISSION}/validatingadmission{kind}", {**named, "spec": spec})
        token = platform.create(f"{accounts}/{ACCOUNT}/token", {})["status"]["token"]
        with ApiClient(control_plane, token=token) as operator:
            reach = OperatorsReach(platform=platform, operator=operator, token=token)
            until(lambda: reach.allowed(CLUSTER, "watch pods"))
            yield reach


def binding(role: str) -> Document:
    """Bind a role to the operator."""
    return {
        "metadata": {"name": role},
        "roleRef": {"apiGroup": RBAC.split("/")[2], "kind": "ClusterRole", "name": role},
        "subjects": [operators_account(HOME)],
    }


def smallest_cluster(name: str) -> Document:
    """Return a DaskCluster with as little as its definition lets be."""
    pod = {"containers": [{"name": "main", "image": "example.com/any"}]}
    ports = [{"name": "http-dashboard", "port": 8787}]
    return {
        "apiVersion": "kubernetes.dask.org/v1",
        "kind": "DaskCluster",
        "metadata": {"name": name},
        "spec": {
            "scheduler": {"spec": pod, "service": {"type": "ClusterIP", "ports": ports}},
            "worker": {"replicas": 1, "spec": pod},
        },
    }


def smallest_group(cluster: str) -> Document:
    """Return a cluster's group of workers, as the operator makes it."""
    made = smallest_cluster(cluster)
    return {
        "apiVersion": made["apiVersion"],
        "kind": "DaskWorkerGroup",
        "metadata": {"name": f"{cluster}-default"},
        "spec": {"cluster": cluster, "worker": made["spec"]["worker"]},
    }
