"""Pure: whether a bucket that teams list can be given to them."""

from collections.abc import Collection, Iterator, Mapping

from daskfleet.platform.doctor.answers import Bucket
from daskfleet.platform.doctor.grants import binding_command
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.settings.buckets import BucketAccess
from daskfleet.settings.stack import Stack

PERMISSIONS = ("storage.buckets.getIamPolicy", "storage.buckets.setIamPolicy")
"""What a grant on a bucket needs (cloud.google.com/storage/docs/access-control/using-iam)."""

ROLE = "roles/storage.admin"
"""On the one bucket; the predefined role with both."""


def listed_buckets(stack: Stack) -> Mapping[str, Collection[BucketAccess]]:
    """All buckets of all teams, each with what is wanted of it."""
    wanted: dict[str, set[BucketAccess]] = {}
    for team in stack.teams:
        for bucket in team.buckets:
            wanted.setdefault(bucket.name, set()).add(bucket.access)
    return wanted


def number_finding(stack: Stack, found: str) -> Finding:
    """Judge the project's number."""
    is_right = found == str(stack.project_number)
    return Finding(
        area=Area.STACK_FILE,
        subject="project_number",
        outcome=Outcome.OK if is_right else Outcome.WRONG,
        needed=f"the number of {stack.project}",
        there=str(stack.project_number) if is_right else f"{stack.project_number}, not {found}",
        fix="" if is_right else f"Set daskfleet:project_number to {found}.",
    )


def missing_finding(name: str) -> Finding:
    """Say that there is no such bucket."""
    return Finding(
        area=Area.PERMISSIONS,
        subject=f"bucket {name}",
        outcome=Outcome.WRONG,
        needed="a bucket",
        there="no bucket of this name, or one that these credentials may not see",
        fix="Correct the name in the stack file, or make the bucket.",
        command=f"gcloud storage buckets describe gs://{name}",
    )


def bucket_findings(
    name: str,
    *,
    granted: Collection[str],
    bucket: Bucket | None,
    wanted: Collection[BucketAccess],
    member: str,
) -> Iterator[Finding]:
    """Judge one bucket; ``bucket`` is None where its settings may not be read."""
    missing = [each for each in PERMISSIONS if each not in granted]
    yield Finding(
        area=Area.PERMISSIONS,
        subject=f"bucket {name}",
        outcome=Outcome.WRONG if missing else Outcome.OK,
        needed=", ".join(missing or PERMISSIONS),
        there="not granted" if missing else "granted",
        fix="Let somebody who administers the bucket grant the role on it." if missing else "",
        command=binding_command("storage buckets", f"gs://{name}", member=member, role=ROLE)
        if missing
        else "",
    )
    if bucket and "write" in wanted and not bucket.is_uniform:
        yield Finding(
            area=Area.PERMISSIONS,
            subject=f"access control of bucket {name}",
            outcome=Outcome.WARNING,
            needed="uniform bucket-level access, without which pods cannot write",
            there="fine-grained: objects have lists of their own",
            fix="Somebody who administers the bucket can switch it. Lists of objects then no "
            "longer count.",
            command=f"gcloud storage buckets update gs://{name} --uniform-bucket-level-access",
        )
