"""Pure: every image that nodes pull for a fleet, and where a mirror has it."""

from collections.abc import Iterator
from dataclasses import dataclass

from daskfleet.planning.plan import FleetPlan
from daskfleet.planning.registry import helpers_of, mirrored


@dataclass(frozen=True, kw_only=True)
class Listed:
    """One image."""

    source: str
    """Where it is published, or where the stack file says that it is."""

    pulled: str
    """What pods name: the copy in the mirror, or the same."""


def images_of(plan: FleetPlan) -> tuple[Listed, ...]:
    """The helper images, and then those of teams in their order, each once.

    A copy keeps its digest, so that pods name it by the same one: of a reference with a tag and a
    digest the digest counts.
    """
    helpers = (
        Listed(source=helper.reference, pulled=mirrored(helper, plan.stack).reference)
        for helper in helpers_of(plan.stack)
    )
    return tuple(dict.fromkeys([*helpers, *_of_teams(plan)]))


def _of_teams(plan: FleetPlan) -> Iterator[Listed]:
    for team in plan.teams:
        yield _as_it_is(team.image.ref)
        if team.jupyter:
            yield _as_it_is(team.jupyter.image.ref)


def _as_it_is(image: str) -> Listed:
    return Listed(source=image, pulled=image)


def copies_of(images: tuple[Listed, ...]) -> tuple[Listed, ...]:
    """Those of which a mirror must have a copy.

    A copy is named by its tag alone: nobody can push to a digest.
    """
    return tuple(
        Listed(source=each.source, pulled=each.pulled.partition("@")[0])
        for each in images
        if each.pulled != each.source
    )
