"""The identity of the cluster's nodes."""

import pulumi
import pulumi_gcp as gcp
from pulumi import ResourceOptions

from daskfleet.planning.image_streaming import ROLE as STREAMING_ROLE
from daskfleet.planning.image_streaming import is_streamed
from daskfleet.planning.node_account import account_id
from daskfleet.planning.registry import READER
from daskfleet.settings.stack import Stack

ROLES = ("roles/container.defaultNodeServiceAccount", READER)
"""Write logs and metrics; pull the team's images. Teams' own data access belongs to Workload
Identity, never to the node."""


def roles(stack: Stack) -> tuple[str, ...]:
    """Return what the nodes may; to stream images they need one more."""
    return (*ROLES, STREAMING_ROLE) if is_streamed(stack) else ROLES


class NodeServiceAccount(pulumi.ComponentResource):
    """A service account with just what a GKE node needs.

    Owns the account and its grants on the projects; owns no other member of a policy,
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
        for role in roles(stack):
            gcp.projects.IAMMember(
                f"{name}-{role.removeprefix('roles/')}",
                project=stack.project,
                role=role,
                member=account.member,
                opts=child,
            )
        for project in stack.registry.reader_in:
            gcp.projects.IAMMember(
                f"{name}-{READER.removeprefix('roles/')}-in-{project}",
                project=project,
                role=READER,
                member=account.member,
                opts=child,
            )

        self.email: pulumi.Output[str] = account.email
        self.register_outputs({"email": self.email})
