"""Looking at a network that exists, and at what its project grants. Nothing here writes."""

import asyncio

from daskfleet.planning.networks import host_project, subnetwork_path
from daskfleet.platform.doctor.answers import Project
from daskfleet.platform.doctor.errors import NotLookedAtError, NotThereError
from daskfleet.platform.doctor.google_api import GoogleApi
from daskfleet.platform.doctor.model import Area, Finding, not_looked_at
from daskfleet.platform.doctor.network_answers import Routers, Subnetwork
from daskfleet.platform.doctor.networks import (
    missing_subnetwork,
    nat_finding,
    subnetwork_findings,
)
from daskfleet.platform.doctor.policy_answers import Policy
from daskfleet.platform.doctor.shared_vpc import grant_command, grant_finding, needed_grants
from daskfleet.settings.existing_network import ExistingNetwork
from daskfleet.settings.stack import Stack


async def network(google: GoogleApi, stack: Stack, *, existing: ExistingNetwork) -> list[Finding]:
    """Look at the subnetwork, its ranges, and the ways to Google and out."""
    try:
        found = await google.get("compute", subnetwork_path(existing, stack), Subnetwork)
    except NotThereError:
        return [missing_subnetwork(existing, stack)]
    return [*subnetwork_findings(found, existing, stack), await _nat(google, stack, existing)]


async def _nat(google: GoogleApi, stack: Stack, existing: ExistingNetwork) -> Finding:
    path = f"projects/{host_project(stack)}/regions/{stack.region}/routers"
    try:
        return nat_finding(await google.get("compute", path, Routers), existing, stack)
    except NotLookedAtError as error:
        return not_looked_at(Area.ZONE, "way out of the network", error)


async def grants(google: GoogleApi, stack: Stack, *, existing: ExistingNetwork) -> list[Finding]:
    """Look at what the host project grants to Google's agents of the stack's project.

    Who may use a Shared VPC may often not read its policies: then the commands are for the owner.
    """
    own = await google.get("cloudresourcemanager", f"projects/{stack.project}", Project)
    needed = tuple(needed_grants(stack, number=own.project_number))
    host = f"projects/{host_project(stack)}"
    try:
        of_project, of_subnetwork = await asyncio.gather(
            google.post("cloudresourcemanager", f"{host}:getIamPolicy", Policy, {}),
            _subnetwork_policy(google, stack, existing),
        )
    except NotLookedAtError as error:
        return [
            not_looked_at(
                Area.PERMISSIONS,
                f"{each.role} in {host_project(stack)}",
                f"{error}. The owner of the host project knows whether {each.member} has it",
                command=grant_command(each, existing, stack),
            )
            for each in needed
        ]
    return [
        grant_finding(each, existing, stack, of_project=of_project, of_subnetwork=of_subnetwork)
        for each in needed
    ]


async def _subnetwork_policy(google: GoogleApi, stack: Stack, existing: ExistingNetwork) -> Policy:
    """A subnetwork that is not there grants nothing; that it is not, another finding says."""
    path = f"{subnetwork_path(existing, stack)}/getIamPolicy"
    try:
        return await google.get("compute", path, Policy)
    except NotThereError:
        return Policy()
