"""Buckets of teams: the roles and the identity behind them, and lists that cannot be kept."""

import re
from collections.abc import Iterator, Mapping

from daskfleet.settings.buckets import Bucket, BucketAccess
from daskfleet.settings.problems import Problem
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team

ROLES: Mapping[BucketAccess, str] = {
    "read": "roles/storage.objectViewer",
    "write": "roles/storage.objectUser",
}
"""Roles that hold objects and no policy: neither lets a pod pass its access on
(cloud.google.com/storage/docs/access-control/iam-roles)."""

SERVICE = "storage.googleapis.com"
"""Projects that were made with the console or gcloud have it enabled, others need not
(cloud.google.com/service-usage/docs/enabled-service)."""

PART_MAX_LENGTH = 63
"""Characters of a bucket's name without dots, or of each part of one with dots."""

_ADDRESS = re.compile(r"\d+(\.\d+){3}")


def principal(stack: Stack, *, namespace: str, service_account: str) -> str:
    """How IAM names the pods of a Kubernetes service account.

    Source: cloud.google.com/iam/docs/principal-identifiers, "Single identity in a workload
    identity pool".
    """
    pool = f"{stack.project}.svc.id.goog"
    return (
        f"principal://iam.googleapis.com/projects/{stack.project_number}/locations/global/"
        f"workloadIdentityPools/{pool}/subject/ns/{namespace}/sa/{service_account}"
    )


def has_buckets(stack: Stack) -> bool:
    """Whether a team lists one."""
    return any(team.buckets for team in stack.teams)


def bucket_problems(stack: Stack) -> Iterator[Problem]:
    """Lists of buckets that Google would refuse, or that say two things."""
    if stack.project_number is None and has_buckets(stack):
        yield Problem(
            key="project_number",
            value="none",
            reason="A team lists buckets, and Google's IAM names its pods by the project's number.",
            allowed=f"the number of project {stack.project}",
            next_step=f"add what gcloud projects describe {stack.project} "
            "--format='value(projectNumber)' prints.",
        )
    for team_index, team in enumerate(stack.teams):
        earlier: dict[str, Bucket] = {}
        for index, bucket in enumerate(team.buckets):
            key = f"teams[{team_index}].buckets[{index}]"
            yield from _name_problems(bucket, key=f"{key}.name")
            if bucket.name in earlier:
                yield _repeated(bucket, team=team, earlier=earlier[bucket.name], key=key)
            earlier.setdefault(bucket.name, bucket)


def _name_problems(bucket: Bucket, *, key: str) -> Iterator[Problem]:
    reason = _why_no_name(bucket.name)
    if reason:
        yield Problem(
            key=key,
            value=bucket.name,
            reason=reason,
            allowed="a name that Cloud Storage gives (cloud.google.com/storage/docs/buckets)",
            next_step="correct the name; gcloud storage ls lists the buckets of a project.",
        )


def _why_no_name(name: str) -> str:
    parts = name.split(".")
    if name.startswith("goog") or "google" in name:
        return "A bucket's name does not begin with goog, and does not have google in it."
    if _ADDRESS.fullmatch(name):
        return "A bucket's name is not an IP address."
    if any(not part or part.startswith("-") or part.endswith("-") for part in parts):
        return "A bucket's name has no dot next to a dot or a hyphen."
    if any(len(part) > PART_MAX_LENGTH for part in parts):
        return f"No part of a bucket's name is longer than {PART_MAX_LENGTH} characters."
    return ""


def _repeated(bucket: Bucket, *, team: Team, earlier: Bucket, key: str) -> Problem:
    return Problem(
        key=key,
        value=f"{bucket.name}: {bucket.access}",
        reason=f"Team {team.name} lists the bucket before, with access {earlier.access}.",
        allowed="each bucket once; write includes read",
        next_step="remove one of the two.",
    )
