"""Pure: which constraints of an organisation can refuse what a stack creates.

Constraints and their values: https://cloud.google.com/resource-manager/docs/organization-policy/
org-policy-constraints, read on 2026-11-23. docs/governance.md lists those that refuse nothing here,
and are not asked for that.
"""

from collections.abc import Collection, Iterator

from daskfleet.planning.keys import keys_of
from daskfleet.planning.networks import host_project, is_shared, subnetwork_path
from daskfleet.planning.teams import teams_with_cluster
from daskfleet.platform.doctor.constraint_values import (
    means_load_balancer,
    means_region,
    means_resource,
)
from daskfleet.platform.doctor.constraints import Constraint
from daskfleet.platform.doctor.names import named_resources
from daskfleet.platform.doctor.services import needed_services
from daskfleet.settings.stack import Stack

ASK = "Ask who sets the organisation's policies for an exception for this project"
ALLOW_NETWORK = "Name a network.existing that is allowed, or ask who sets the policy to allow it."


def constraints_of(stack: Stack, own: Collection[str]) -> tuple[Constraint, ...]:
    """The constraints that can refuse what a stack creates; ``own``: IDs of what it has made."""
    return (
        Constraint(
            name="gcp.resourceLocations",
            needed=(stack.region,),
            fix=f"Take a region that is allowed, or ask who sets the policy to allow "
            f"in:{stack.region}-locations.",
            means=means_region,
        ),
        Constraint(
            name="gcp.restrictServiceUsage",
            needed=needed_services(stack),
            fix=f"{ASK}, by the names of these services.",
        ),
        *_of_first_up(stack, own),
        *_of_keys(stack),
        *_of_shared_network(stack),
        *_of_load_balancers(stack),
    )


def _of_first_up(stack: Stack, own: Collection[str]) -> Iterator[Constraint]:
    """What refuses only what is made once."""
    named = {each.kind: each.state_id for each in named_resources(stack)}
    if named["service account"] not in own:
        yield Constraint(
            name="iam.disableServiceAccountCreation",
            needed=("the service account of the nodes",),
            fix=f"{ASK}; it can end once the stack is up.",
            is_switch=True,
        )


def _of_keys(stack: Stack) -> Iterator[Constraint]:
    """Where keys must be one's own, and where the keys may be.

    A resource of a denied service is refused where it names no key
    (https://cloud.google.com/kms/docs/cmek-org-policy). Which of the two keys GKE asks for of a
    cluster, that page does not say.
    """
    missing = [
        f"keys.{use}"
        for use in ("nodes", "secrets")
        if use not in {key.use for key in keys_of(stack)}
    ]
    if missing:
        compute = ["compute.googleapis.com"] if "keys.nodes" in missing else []
        yield Constraint(
            name="gcp.restrictNonCmekServices",
            needed=("container.googleapis.com", *compute),
            fix=f"Set {' and '.join(missing)}: without it Google's own keys encrypt.",
        )
    if key_projects := dict.fromkeys(f"projects/{key.project}" for key in keys_of(stack)):
        yield Constraint(
            name="gcp.restrictCmekCryptoKeyProjects",
            needed=tuple(key_projects),
            fix="Name keys of a project that is allowed, or ask who sets the policy to allow "
            "theirs.",
            means=means_resource,
        )


def attachment_constraint(stack: Stack) -> Constraint:
    """What decides whether the stack's project may be attached to the host project.

    A project that is attached is refused nothing by it.
    """
    return Constraint(
        name="compute.restrictSharedVpcHostProjects",
        needed=(f"projects/{host_project(stack)}",),
        fix=ALLOW_NETWORK,
        means=means_resource,
    )


def _of_shared_network(stack: Stack) -> Iterator[Constraint]:
    existing = stack.network.existing
    if existing is not None and is_shared(stack):
        yield Constraint(
            name="compute.restrictSharedVpcSubnetworks",
            needed=(subnetwork_path(existing, stack),),
            fix=ALLOW_NETWORK,
            means=means_resource,
        )


def _of_load_balancers(stack: Stack) -> Iterator[Constraint]:
    balanced = [
        team.name
        for _, team in teams_with_cluster(stack)
        if team.access.internal_load_balancer is not None
    ]
    if balanced:
        yield Constraint(
            name="compute.restrictLoadBalancerCreationForTypes",
            needed=("INTERNAL_TCP_UDP",),
            fix=f"{ASK}, or take access.internal_load_balancer from team {', '.join(balanced)}.",
            means=means_load_balancer,
        )
