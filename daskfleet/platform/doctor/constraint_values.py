"""Pure: whether an entry of an organisation's policy means a value that a stack needs.

Forms of entries: ``ListPolicy`` in https://cloud.google.com/resource-manager/reference/rest/v1/
Policy; of projects https://cloud.google.com/kms/docs/cmek-org-policy; of subnetworks
https://cloud.google.com/resource-manager/docs/organization-policy/org-policy-constraints.
"""

from collections.abc import Callable, Mapping
from typing import Literal

GROUP, LITERAL, TREE = "in:", "is:", "under:"
"""How a policy marks a group of values that Google curates, a single value, and all below."""

Membership = Literal["in", "out", "unknown"]
"""Whether a value is meant; ``unknown`` where only Google knows."""

Means = Callable[[str, str], Membership]
"""Tells from an entry and a value."""


def means_name(entry: str, value: str) -> Membership:
    """A name, such as that of a service; what is in a group of them, only Google knows."""
    if entry.startswith(GROUP):
        return "unknown"
    return "in" if entry.removeprefix(LITERAL) == value else "out"


_CONTINENTS: Mapping[str, str] = {
    "us-locations": "us-",
    "asia-locations": "asia-",
    "europe-locations": "europe-",
    "australia-locations": "australia-",
}
"""Groups of locations whose regions all begin alike, and that have all of those."""


def means_region(entry: str, region: str) -> Membership:
    """A region, by its name or by a group."""
    if not entry.startswith(GROUP):
        literal = entry.removeprefix(LITERAL)
        # A zone of the region: whether it is all that is needed depends on what is made there.
        return "unknown" if literal.startswith(f"{region}-") else means_name(entry, region)
    group = entry.removeprefix(GROUP)
    if group == f"{region}-locations":
        return "in"
    if beginning := _CONTINENTS.get(group):
        return "in" if region.startswith(beginning) else "out"
    # A group of one region has its name: `in:us-east1-locations`.
    return "out" if group.removesuffix("-locations")[-1:].isdigit() else "unknown"


def means_load_balancer(entry: str, kind: str) -> Membership:
    """A kind of load balancer."""
    group = entry.removeprefix(GROUP)
    if entry.startswith(GROUP) and group in {"INTERNAL", "EXTERNAL"}:
        return "in" if kind.startswith(group) else "out"
    return means_name(entry, kind)


def means_resource(entry: str, path: str) -> Membership:
    """A resource by its path, ``projects/P`` or what is in it, or by the project that it is in.

    Which folders a project is in, and which number it has, is not asked.
    """
    named = entry.removeprefix(TREE).removeprefix(LITERAL)
    kind, _, rest = named.partition("/")
    if kind != "projects" or rest.partition("/")[0].isdigit():
        return "unknown"
    is_below = entry.startswith(TREE) and path.startswith(f"{named}/")
    return "in" if named == path or is_below else "out"
