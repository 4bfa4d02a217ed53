"""What a deletion meets before it has deleted anything."""

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
    deletes in rounds, dependants first. With ``--skip-preview`` the Dask clusters of a protected
    fleet would be gone, and the whole inside of the cluster forgotten, before it comes to the
    cluster that is protected. What depends on all of it is in an earlier round.
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
    """Lock a team with all that it has; a lock that is off lets the team go.

    The team's address is not in ``over``: it is declared once the Dask cluster is ready, and a
    cluster that never is needs its lock too. The inner lock is in a round before the address all
    the same, since that depends on the Dask cluster and on nothing further.
    """
    _nested((f"{name}-team-protection", TEAM_FIRST.format(team=name)), is_on=is_on, over=over)


def protect_fleet(*, is_on: bool, over: Sequence[pulumi.Resource]) -> None:
    """Lock the whole fleet, a round before the locks of its teams."""
    names = ("fleet-protection", "fleet-protection-before-teams", FLEET_FIRST)
    _nested(names, is_on=is_on, over=over)


def _nested(names: Sequence[str], *, is_on: bool, over: Sequence[pulumi.Resource]) -> None:
    """Locks inside of each other: each is deleted a round before the one around it.

    Dependencies cannot say that, because one on a component is one on what is in it.
    """
    outer, *inner = names
    lock = Protection(outer, is_on=is_on, over=over)
    for name in inner:
        lock = Protection(name, is_on=is_on, over=[], opts=ResourceOptions(parent=lock))
