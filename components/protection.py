"""What stops a deletion before it has deleted anything."""

from collections.abc import Sequence

import pulumi
from pulumi import ResourceOptions

FLEET_FIRST = "fleet-first-set-long_lived-to-false-and-run-up"
TEAM_FIRST = "{team}-first-set-retire-to-true-and-run-up"
"""Names of locks. Pulumi's error names the resource and nothing else of ours, so the name says what
to do: ``resource "urn:...::genomics-first-set-retire-to-true-and-run-up" cannot be deleted``."""


class Protection(pulumi.ComponentResource):
    """A lock over other resources: their deletion stops at it, with nothing deleted.

    Owns nothing. Pulumi looks at ``protect`` when it comes to delete that very resource, and it
    deletes dependants first. With ``--skip-preview`` the Dask clusters of a protected fleet would
    be gone, and the whole inside of the cluster forgotten, before it comes to the cluster that is
    protected. When a deletion fails, Pulumi spares what that resource depends on, directly or not,
    and goes on with all the rest: so a lock must be ``over`` everything that it is to save.
    """

    TYPE = "daskfleet:dask:Protection"

    def __init__(
        self,
        name: str,
        *,
        is_on: bool,
        over: Sequence[pulumi.Resource],
        opts: ResourceOptions | None = None,
    ) -> None:
        lock = ResourceOptions(protect=is_on, depends_on=list(over))
        super().__init__(self.TYPE, name, None, ResourceOptions.merge(lock, opts))
        self.register_outputs({})


def protect_team(name: str, *, is_on: bool, over: Sequence[pulumi.Resource]) -> None:
    """Lock a team with all that it has; a lock that is off lets the team go."""
    Protection(TEAM_FIRST.format(team=name), is_on=is_on, over=over)


def protect_fleet(*, is_on: bool, over: Sequence[pulumi.Resource]) -> None:
    """Lock the whole fleet."""
    Protection(FLEET_FIRST, is_on=is_on, over=over)
