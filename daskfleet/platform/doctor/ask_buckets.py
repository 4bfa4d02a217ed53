"""Looking at the buckets that teams list, and at the number that Google names their pods by."""

import asyncio

from daskfleet.platform.doctor.answers import Bucket, Permissions, Project
from daskfleet.platform.doctor.buckets import (
    PERMISSIONS,
    bucket_findings,
    listed_buckets,
    missing_finding,
    number_finding,
)
from daskfleet.platform.doctor.errors import NotLookedAtError, NotThereError
from daskfleet.platform.doctor.google_api import GoogleApi
from daskfleet.platform.doctor.model import Area, Finding, not_looked_at
from daskfleet.settings.stack import Stack


async def number(google: GoogleApi, stack: Stack) -> list[Finding]:
    """Look at the project's number."""
    found = await google.get("cloudresourcemanager", f"projects/{stack.project}", Project)
    return [number_finding(stack, found.project_number)]


async def buckets(google: GoogleApi, stack: Stack, *, member: str) -> list[Finding]:
    """Look at each bucket."""

    async def look(name: str) -> list[Finding]:
        try:
            granted = await google.get(
                "storage",
                f"b/{name}/iam/testPermissions",
                Permissions,
                {"permissions": list(PERMISSIONS)},
            )
        except NotThereError:
            return [missing_finding(name)]
        except NotLookedAtError as error:
            return [not_looked_at(Area.PERMISSIONS, f"bucket {name}", error)]
        bucket = await _settings(google, name)
        found = bucket_findings(
            name,
            granted=granted.permissions,
            bucket=bucket,
            wanted=wanted[name],
            member=member,
        )
        return list(found)

    wanted = listed_buckets(stack)
    found = await asyncio.gather(*(look(name) for name in wanted))
    return [finding for findings in found for finding in findings]


async def _settings(google: GoogleApi, name: str) -> Bucket | None:
    """Who may change a bucket's policy may not always read its settings."""
    try:
        return await google.get("storage", f"b/{name}", Bucket)
    except NotLookedAtError:
        return None
