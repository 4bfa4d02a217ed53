"""Pure: which permissions `pulumi up` needs, and which role has those that are missing."""

from collections.abc import Collection, Iterator, Mapping

from daskfleet.platform.doctor.grants import binding_command
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.settings.stack import Stack

BY_ROLE: Mapping[str, tuple[str, ...]] = {
    "roles/container.admin": (
        "container.clusters.create",
        "container.clusters.get",
        "container.clusters.update",
        "container.operations.get",
        # The Helm releases of the CRDs and of the operator, and what a team gets.
        "container.customResourceDefinitions.create",
        "container.clusterRoles.create",
        "container.clusterRoles.escalate",
        "container.clusterRoleBindings.create",
        "container.namespaces.create",
        "container.daemonSets.create",
        "container.thirdPartyObjects.create",
    ),
    # The provider reads the size of a pool from its instance groups.
    "roles/compute.viewer": ("compute.instanceGroupManagers.get", "compute.regions.get"),
    "roles/iam.serviceAccountAdmin": ("iam.serviceAccounts.create", "iam.serviceAccounts.get"),
    # GKE lets nobody run nodes as an account that they may not act as.
    "roles/iam.serviceAccountUser": ("iam.serviceAccounts.actAs",),
    "roles/resourcemanager.projectIamAdmin": (
        "resourcemanager.projects.get",
        "resourcemanager.projects.getIamPolicy",
        "resourcemanager.projects.setIamPolicy",
    ),
}
"""The permissions to create what every stack has, by the predefined role that has them."""

NETWORK_ROLE = "roles/compute.networkAdmin"
NETWORK = (
    "compute.networks.create",
    "compute.networks.get",
    "compute.subnetworks.create",
    "compute.subnetworks.get",
    "compute.globalOperations.get",
    "compute.regionOperations.get",
)
NAT = ("compute.routers.create", "compute.routers.get", "compute.routers.update")
"""What a network of the program's own needs, and Cloud NAT in it."""

CONNECT = ("roles/container.admin", "container.clusters.connect")
"""The DNS endpoint of a control plane asks it of each request."""


def needed_permissions(stack: Stack) -> dict[str, str]:
    """All that are needed, each with a role that has it."""
    needed = {each: role for role, permissions in BY_ROLE.items() for each in permissions}
    own = () if stack.network.existing else NETWORK
    nat = NAT if stack.network.has_own_nat else ()
    needed |= dict.fromkeys((*own, *nat), NETWORK_ROLE)
    if stack.cluster.endpoint.kind == "dns":
        role, permission = CONNECT
        needed[permission] = role
    return needed


def permission_findings(
    needed: Mapping[str, str], granted: Collection[str], *, project: str, member: str
) -> Iterator[Finding]:
    """Judge what is missing, one finding for each role; one finding when nothing is.

    ``member``: who asks, as IAM writes it; empty where it is not known.
    """
    missing: dict[str, list[str]] = {}
    for permission, role in needed.items():
        if permission not in granted:
            missing.setdefault(role, []).append(permission)
    if not missing:
        yield Finding(
            area=Area.PERMISSIONS,
            subject=f"in project {project}",
            outcome=Outcome.OK,
            needed=f"{len(needed)} permissions",
            there="all of them",
        )
    for role, permissions in missing.items():
        yield Finding(
            area=Area.PERMISSIONS,
            subject=role,
            outcome=Outcome.WRONG,
            needed=", ".join(permissions),
            there="not granted",
            fix="Let somebody who administers the project grant the role, or one of your own that "
            "has these permissions.",
            command=binding_command("projects", project, member=member, role=role),
        )
