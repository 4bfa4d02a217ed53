"""Pure: whether the nodes of a stack may pull its images."""

from collections.abc import Collection

from daskfleet.planning.node_account import account_id
from daskfleet.planning.plan import FleetPlan
from daskfleet.planning.registry import (
    READER,
    Repository,
    helpers_of,
    mirrored,
    repository_of,
)
from daskfleet.platform.doctor.grants import binding_command
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.platform.doctor.policy_answers import Policy
from daskfleet.settings.stack import Stack

CAN_READ = frozenset(
    {
        READER,
        "roles/artifactregistry.writer",
        "roles/artifactregistry.repoAdmin",
        "roles/artifactregistry.admin",
    }
)
"""Roles that let images be pulled (cloud.google.com/artifact-registry/docs/access-control)."""

EVERYBODY = frozenset({"allUsers", "allAuthenticatedUsers"})

GRANTING = ("resourcemanager.projects.getIamPolicy", "resourcemanager.projects.setIamPolicy")
GRANTERS_ROLE = "roles/resourcemanager.projectIamAdmin"


def nodes_account(stack: Stack) -> str:
    """The nodes' service account as IAM writes it; an organisation's project turns round."""
    domain = ".".join(reversed(stack.project.split(":")))
    return f"serviceAccount:{account_id(stack.cluster.name)}@{domain}.iam.gserviceaccount.com"


def foreign_repositories(plan: FleetPlan) -> tuple[Repository, ...]:
    """The repositories of projects in which the program grants nothing, each once."""
    stack = plan.stack
    granted = {stack.project, *stack.registry.reader_in}
    images = [
        *(mirrored(each, stack).reference for each in helpers_of(stack)),
        *(team.image.ref for team in plan.teams),
        *(team.jupyter.image.ref for team in plan.teams if team.jupyter),
    ]
    found = {each for each in map(repository_of, images) if each}
    return tuple(sorted(each for each in found if each.project not in granted))


def subject_of(repository: Repository) -> str:
    """What findings call it."""
    return f"repository {repository.host_path}"


def repository_finding(repository: Repository, policy: Policy, stack: Stack) -> Finding:
    """Judge a repository by its own policy; what its project grants is not in there."""
    readers = (nodes_account(stack), *EVERYBODY)
    may_read = any(policy.grants(role, member) for role in CAN_READ for member in readers)
    return Finding(
        area=Area.PERMISSIONS,
        subject=subject_of(repository),
        outcome=Outcome.OK if may_read else Outcome.WARNING,
        needed=f"{READER} for the nodes",
        there="granted" if may_read else "not granted on the repository itself",
        fix=""
        if may_read
        else "Unless its project grants it, let somebody who administers the repository do so, "
        "once `up` has made the account; pods that wait for their image then go on. Or list the "
        "project in registry.reader_in.",
        command="" if may_read else grant_command(repository, stack),
    )


def grant_command(repository: Repository, stack: Stack) -> str:
    """What the repository's administrator runs."""
    return binding_command(
        "artifacts repositories",
        repository.name,
        where={"project": repository.project, "location": repository.location},
        member=nodes_account(stack),
        role=READER,
    )


def missing_repository(repository: Repository) -> Finding:
    """Say that there is no such repository."""
    return Finding(
        area=Area.PERMISSIONS,
        subject=subject_of(repository),
        outcome=Outcome.WRONG,
        needed="a repository",
        there="no repository of this name, or one that these credentials may not see",
        fix="Correct the image's name in the stack file, or make the repository.",
        command=f"gcloud artifacts repositories describe {repository.name} "
        f"--project={repository.project} --location={repository.location}",
    )


def granting_finding(project: str, granted: Collection[str], *, member: str) -> Finding:
    """Judge whether `up` may make the grant in another project."""
    missing = [each for each in GRANTING if each not in granted]
    return Finding(
        area=Area.PERMISSIONS,
        subject=f"grants in project {project}",
        outcome=Outcome.WRONG if missing else Outcome.OK,
        needed=", ".join(missing or GRANTING),
        there="not granted" if missing else "granted",
        fix="Let somebody who administers the project grant the role; or remove the project from "
        "registry.reader_in, and let them grant the nodes' account."
        if missing
        else "",
        command=binding_command("projects", project, member=member, role=GRANTERS_ROLE)
        if missing
        else "",
    )
