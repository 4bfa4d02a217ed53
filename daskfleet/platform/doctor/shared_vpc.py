"""Pure: what the host project of a Shared VPC must grant and share, with commands for its owner.

Sources: cloud.google.com/kubernetes-engine/docs/how-to/cluster-shared-vpc;
terraform-google-project-factory pull request 822 (2023-06-12), where nodes did not come up without
the grant to Google's API service agent; cloud-foundation-fabric, ``gke-cluster`` (2026), which
grants roles/compute.securityAdmin only where GKE is to write firewall rules for load balancers.
"""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from daskfleet.planning.networks import host_project
from daskfleet.platform.doctor.grants import binding_command
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.platform.doctor.policy_answers import Policy
from daskfleet.settings.existing_network import ExistingNetwork
from daskfleet.settings.stack import Stack

HOST_ROLE = "roles/container.hostServiceAgentUser"
NETWORK_ROLE = "roles/compute.networkUser"
FIREWALL_ROLE = "roles/compute.securityAdmin"


@dataclass(frozen=True, kw_only=True)
class Grant:
    """A role that one of Google's agents needs, in the host project or on its subnetwork."""

    role: str
    member: str
    on_subnetwork: bool
    """Whether a grant on the subnetwork is enough."""

    without_it: str
    """What happens without it."""

    is_needed_for_up: bool = True


def needed_grants(stack: Stack, *, number: str) -> Iterator[Grant]:
    """All that are needed; ``number`` is the number of the stack's project."""
    gke = f"serviceAccount:service-{number}@container-engine-robot.iam.gserviceaccount.com"
    machines = f"serviceAccount:{number}@cloudservices.gserviceaccount.com"
    refused = "GKE refuses to make the cluster"
    yield Grant(role=HOST_ROLE, member=gke, on_subnetwork=False, without_it=refused)
    yield Grant(role=NETWORK_ROLE, member=gke, on_subnetwork=True, without_it=refused)
    yield Grant(
        role=NETWORK_ROLE, member=machines, on_subnetwork=True, without_it="no node comes up"
    )
    if any(team.access.internal_load_balancer for team in stack.teams):
        yield Grant(
            role=FIREWALL_ROLE,
            member=gke,
            on_subnetwork=False,
            without_it="GKE writes no firewall rule for the teams' load balancers, and says in "
            "an event of the Service which one somebody has to make",
            is_needed_for_up=False,
        )


def attachment_subject(stack: Stack) -> str:
    """What findings call it."""
    return f"project {stack.project} in the Shared VPC of {host_project(stack)}"


def attachment_command(stack: Stack) -> str:
    """The command for the owner of the host project."""
    project, host = map(shlex.quote, (stack.project, host_project(stack)))
    return f"gcloud compute shared-vpc associated-projects add {project} --host-project={host}"


def attachment_finding(found: str, stack: Stack) -> Finding:
    """Judge the host project that Compute Engine tells of the stack's; empty: there is none.

    A project has one host project at most (cloud.google.com/vpc/docs/shared-vpc).
    """
    is_attached = found == host_project(stack)
    return Finding(
        area=Area.PERMISSIONS,
        subject=attachment_subject(stack),
        outcome=Outcome.OK if is_attached else Outcome.WRONG,
        needed="attached",
        there="attached"
        if is_attached
        else f"attached to {found}; it can be in one alone"
        if found
        else "not attached: no cluster of it gets that network",
        fix=""
        if is_attached
        else "Name a network of that project, or let the owners of both move yours."
        if found
        else "Let the owner of the host project attach it.",
        command="" if is_attached or found else attachment_command(stack),
    )


def grant_finding(
    grant: Grant,
    existing: ExistingNetwork,
    stack: Stack,
    *,
    of_project: Policy,
    of_subnetwork: Policy,
) -> Finding:
    """Judge one grant."""
    policies = (of_project, of_subnetwork) if grant.on_subnetwork else (of_project,)
    is_there = any(policy.grants(grant.role, grant.member) for policy in policies)
    missing = Outcome.WRONG if grant.is_needed_for_up else Outcome.WARNING
    return Finding(
        area=Area.PERMISSIONS,
        subject=f"{grant.role} in {host_project(stack)}",
        outcome=Outcome.OK if is_there else missing,
        needed=f"for {grant.member}",
        there="granted"
        if is_there
        else "not granted there; what a folder or an organisation grants is not seen. Without it "
        f"{grant.without_it}",
        fix="" if is_there else "Let the owner of the host project grant it.",
        command="" if is_there else grant_command(grant, existing, stack),
    )


def grant_command(grant: Grant, existing: ExistingNetwork, stack: Stack) -> str:
    """The command for the owner of the host project."""
    host = host_project(stack)
    if grant.on_subnetwork:
        return binding_command(
            "compute networks subnets",
            existing.subnetwork,
            where={"project": host, "region": stack.region},
            member=grant.member,
            role=grant.role,
        )
    return binding_command("projects", host, member=grant.member, role=grant.role)
