"""The identity of the cluster's nodes."""

import hashlib

import pulumi
import pulumi_gcp as gcp
from pulumi import ResourceOptions

from settings.stack import Stack

ACCOUNT_ID_MAX_LENGTH = 30
"""iam.v1 ``CreateServiceAccountRequest.accountId``: 6 to 30 characters."""

ROLES = ("roles/container.defaultNodeServiceAccount", "roles/artifactregistry.reader")
"""Write logs and metrics; pull the team's images. Teams' own data access belongs to Workload
Identity, never to the node."""


def account_id(cluster_name: str) -> str:
    """Account ID for a cluster; a cluster name that is too long keeps a hash of itself.

    Cluster names may have 40 characters, account IDs 30.
    """
    candidate = f"{cluster_name}-nodes"
    if len(candidate) <= ACCOUNT_ID_MAX_LENGTH:
        return candidate
    suffix = f"-{hashlib.sha256(cluster_name.encode()).hexdigest()[:8]}-nodes"
    return cluster_name[: ACCOUNT_ID_MAX_LENGTH - len(suffix)] + suffix


class NodeServiceAccount(pulumi.ComponentResource):
    """A service account with just what a GKE node needs.

    Owns the account and its two grants on the project; owns no other member of the policy,
    and no key: nodes get tokens from the metadata server. A node that boots before its grants
    cannot register, so pools depend on the whole component and not only on the address.
    """

    TYPE = "daskfleet:gke:NodeServiceAccount"

    def __init__(self, name: str, *, stack: Stack, opts: ResourceOptions | None = None) -> None:
        super().__init__(self.TYPE, name, None, opts)
        child = ResourceOptions(parent=self)

        account = gcp.serviceaccount.Account(
            f"{name}-account",
            account_id=account_id(stack.cluster.name),
            display_name=f"Nodes of GKE cluster {stack.cluster.name}",
            opts=child,
        )
        for role in ROLES:
            gcp.projects.IAMMember(
                f"{name}-{role.removeprefix('roles/')}",
                project=stack.project,
                role=role,
                member=account.member,
                opts=child,
            )

        self.email: pulumi.Output[str] = account.email
        self.register_outputs({"email": self.email})
