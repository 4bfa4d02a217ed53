"""What a rehearsed project lacks, on request: quota, enabled services, permissions.

Quota, permissions and organisation policies are answered and never enforced; a service that is not
enabled refuses.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rehearsal.emulator.errors import GoogleError, UnimplementedError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from rehearsal.emulator.document import Document

RESTRICTIONS_PATH = "/rehearsal/restrictions"
"""Not Google's: POST {"quotas": [...], ...} here to replace the restrictions that are set."""

SWITCHES = frozenset(
    {"constraints/compute.requireShieldedVm", "constraints/iam.disableServiceAccountCreation"}
)
"""Constraints that are on or off."""
LISTS = frozenset(
    {
        "constraints/compute.restrictLoadBalancerCreationForTypes",
        "constraints/compute.restrictSharedVpcHostProjects",
        "constraints/compute.restrictSharedVpcSubnetworks",
        "constraints/gcp.resourceLocations",
        "constraints/gcp.restrictCmekCryptoKeyProjects",
        "constraints/gcp.restrictNonCmekServices",
        "constraints/gcp.restrictServiceUsage",
    }
)
"""Constraints that allow or deny values."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class QuotaLimit(_Part):
    """A limit in place of the one in ``data/quotas.yaml``, in all regions."""

    metric: str
    limit: Annotated[float, Field(ge=0)]


class ListPolicy(_Part):
    """Values that an organisation allows or denies."""

    allowedValues: tuple[str, ...] = ()  # noqa: N815 - as Google spells them
    deniedValues: tuple[str, ...] = ()  # noqa: N815


class OrganisationPolicy(_Part):
    """What an organisation has set of one constraint; on or off where it has no list."""

    constraint: str
    """For example ``constraints/gcp.resourceLocations``."""
    values: ListPolicy | None = None


class Restrictions(_Part):
    """All that is lacking, in every project."""

    quotas: tuple[QuotaLimit, ...] = ()
    disabled_services: frozenset[str] = frozenset()
    """For example ``container.googleapis.com``."""
    denied_permissions: frozenset[str] = frozenset()
    missing_buckets: frozenset[str] = frozenset()
    buckets_with_acls: frozenset[str] = frozenset()
    """Buckets without uniform bucket-level access."""
    organisation_policies: tuple[OrganisationPolicy, ...] = ()

    def limit_of(self, metric: str, *, otherwise: float) -> float:
        """Return the limit of a metric."""
        return next((q.limit for q in self.quotas if q.metric == metric), otherwise)

    def check_enabled(self, api: str, *, project: str) -> None:
        """Raise the 403 with which Google answers where an API is not enabled."""
        service = f"{api}.googleapis.com"
        if service in self.disabled_services:
            raise GoogleError(
                403,
                f"{service} has not been used in project {project} before or it is disabled. "
                "Enable it by visiting https://console.developers.google.com/apis/api/"
                f"{service}/overview?project={project} then retry.",
                reason="accessNotConfigured",
                status="PERMISSION_DENIED",
            )


class RestrictionBook:
    """The restrictions that hold now."""

    def __init__(self) -> None:
        self.current = Restrictions()

    def granted(self, permissions: Iterable[str]) -> list[str]:
        """Return those that no restriction denies: the rehearsal's user owns everything."""
        denied = self.current.denied_permissions
        return [permission for permission in permissions if permission not in denied]

    def set_enabled(self, services: Collection[str], *, enabled: bool) -> None:
        """Have services enabled or disabled, in every project."""
        disabled = self.current.disabled_services
        changed = disabled.difference(services) if enabled else disabled.union(services)
        self.current = self.current.model_copy(update={"disabled_services": changed})

    def organisation_policy(self, constraint: str) -> Document:
        """Return what holds of a constraint: all is allowed until a restriction says otherwise.

        Raises UnimplementedError for a constraint that nothing here knows.
        """
        for each in self.current.organisation_policies:
            if each.constraint == constraint:
                if each.values is None:
                    return {"constraint": constraint, "booleanPolicy": {"enforced": True}}
                listed = each.values.model_dump(mode="json", exclude_defaults=True)
                return {"constraint": constraint, "listPolicy": listed}
        if constraint in SWITCHES:
            return {"constraint": constraint, "booleanPolicy": {}}
        if constraint in LISTS:
            return {"constraint": constraint, "listPolicy": {"allValues": "ALLOW"}}
        raise UnimplementedError(f"The emulator does not model the constraint {constraint!r}.")

    async def post(self, request: web.Request) -> web.Response:
        """Replace them by those of a request."""
        try:
            self.current = Restrictions.model_validate_json(await request.read())
        except ValidationError as error:
            return web.Response(status=HTTPStatus.BAD_REQUEST, text=str(error))
        return web.Response(status=HTTPStatus.NO_CONTENT)
