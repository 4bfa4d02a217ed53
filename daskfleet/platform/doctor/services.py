"""Pure: which APIs a stack needs, and whether they are enabled."""

from collections.abc import Collection, Iterator

from daskfleet.planning.buckets import SERVICE as STORAGE
from daskfleet.planning.buckets import has_buckets
from daskfleet.planning.image_streaming import SERVICE as STREAMING
from daskfleet.planning.image_streaming import is_streamed
from daskfleet.planning.keys import SERVICE as KMS
from daskfleet.planning.keys import keys_of
from daskfleet.planning.monitoring import SERVICE as MONITORING
from daskfleet.planning.monitoring import is_collected
from daskfleet.platform.doctor.answers import Service
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.settings.stack import Stack

NEEDED = (
    "container.googleapis.com",
    "compute.googleapis.com",
    "iam.googleapis.com",
    "cloudresourcemanager.googleapis.com",
)
"""The APIs of what every stack has."""

BINARY_AUTHORIZATION = "binaryauthorization.googleapis.com"
"""What GKE asks before a pod runs (cloud.google.com/binary-authorization/docs/setting-up)."""

ASKED_BY = "serviceusage.googleapis.com"
"""Tells which services are enabled; the program itself does without it."""


def needed_services(stack: Stack) -> tuple[str, ...]:
    """The APIs that a stack needs."""
    return (
        *NEEDED,
        *([STREAMING] if is_streamed(stack) else []),
        *([MONITORING] if is_collected(stack) else []),
        *([STORAGE] if has_buckets(stack) else []),
        *([KMS] if any(key.project == stack.project for key in keys_of(stack)) else []),
        *([BINARY_AUTHORIZATION] if stack.cluster.binary_authorization else []),
    )


def service_findings(services: Collection[Service], stack: Stack) -> Iterator[Finding]:
    """Judge each needed API by what Service Usage says of it."""
    enabled = {each.name.rpartition("/")[2] for each in services if each.state == "ENABLED"}
    for needed in needed_services(stack):
        is_there = needed in enabled
        yield Finding(
            area=Area.APIS,
            subject=needed,
            outcome=Outcome.OK if is_there else Outcome.WRONG,
            needed="enabled",
            there="enabled" if is_there else "not enabled",
            fix="" if is_there else "Enable it. That takes effect after a minute or two.",
            command="" if is_there else enable(needed, project=stack.project),
        )


def enable(service: str, *, project: str) -> str:
    """The command that enables a service."""
    return f"gcloud services enable {service} --project {project}"
