"""Pure: whether an organisation's policies allow what a stack creates.

Constraints and their values: https://cloud.google.com/resource-manager/docs/organization-policy/
org-policy-constraints, read on 2026-11-23. Policies with conditions on tags, and the managed and
custom constraints of Organization Policy v2, are not told by the API that is asked.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from daskfleet.planning.teams import teams_with_cluster
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.platform.doctor.policy_answers import ListPolicy, OrgPolicy
from daskfleet.platform.doctor.services import needed_services
from daskfleet.settings.stack import Stack

GROUP, LITERAL = "in:", "is:"
"""How a policy marks a group of values that Google curates, and a single value."""

Membership = Literal["in", "out", "unknown"]
"""Whether a value is in a group."""

GroupsOf = Callable[[str, str], Membership]
"""Tells from a group's name and a value; ``unknown`` where only Google knows."""


@dataclass(frozen=True, kw_only=True)
class Constraint:
    """What one constraint can refuse of a stack."""

    name: str
    """Without ``constraints/``."""

    needed: tuple[str, ...]
    """Values that must be allowed; of a constraint that is on or off, what it would refuse."""

    fix: str
    is_switch: bool = False
    """Whether it is on or off, and refuses when it is on."""

    in_group: GroupsOf = lambda _group, _value: "unknown"

    @property
    def full_name(self) -> str:
        """As the API spells it."""
        return f"constraints/{self.name}"


def constraints_of(stack: Stack) -> tuple[Constraint, ...]:
    """The constraints that can refuse what a stack creates."""
    ask = "Ask who sets the organisation's policies for an exception for this project"
    balanced = [
        team.name
        for _, team in teams_with_cluster(stack)
        if team.access.internal_load_balancer is not None
    ]
    return (
        Constraint(
            name="gcp.resourceLocations",
            needed=(stack.region,),
            fix=f"Take a region that is allowed, or ask who sets the policy to allow "
            f"in:{stack.region}-locations.",
            in_group=_location_group,
        ),
        Constraint(
            name="gcp.restrictServiceUsage",
            needed=needed_services(stack),
            fix=f"{ask}, by the names of these services.",
        ),
        Constraint(
            name="iam.disableServiceAccountCreation",
            needed=("the service account of the nodes",),
            fix=f"{ask}; it can end once the stack is up.",
            is_switch=True,
        ),
        Constraint(
            name="gcp.restrictNonCmekServices",
            needed=("container.googleapis.com", "compute.googleapis.com"),
            fix=f"{ask}: clusters and disks are encrypted with Google's own keys.",
        ),
        *(
            [
                Constraint(
                    name="compute.restrictLoadBalancerCreationForTypes",
                    needed=("INTERNAL_TCP_UDP",),
                    fix=f"{ask}, or take access.internal_load_balancer from team "
                    f"{', '.join(balanced)}.",
                    in_group=_load_balancer_group,
                )
            ]
            if balanced
            else []
        ),
    )


def constraint_finding(constraint: Constraint, policy: OrgPolicy) -> Finding:
    """Judge one constraint by the policy that holds for the project."""
    if constraint.is_switch:
        verdicts: dict[str, bool | None] = dict.fromkeys(
            constraint.needed, not policy.boolean_policy.enforced
        )
    else:
        verdicts = {
            value: _is_allowed(value, policy.list_policy, constraint.in_group)
            for value in constraint.needed
        }
    refused = [value for value, verdict in verdicts.items() if verdict is False]
    unknown = [value for value, verdict in verdicts.items() if verdict is None]
    outcome = Outcome.WRONG if refused else Outcome.NOT_LOOKED_AT if unknown else Outcome.OK
    return Finding(
        area=Area.PERMISSIONS,
        subject=constraint.full_name,
        outcome=outcome,
        needed=f"{', '.join(refused or unknown or constraint.needed)} allowed",
        there=_there(constraint, policy, outcome),
        fix=constraint.fix if refused else "",
    )


def _there(constraint: Constraint, policy: OrgPolicy, outcome: Outcome) -> str:
    if outcome is Outcome.OK:
        return "allowed"
    if constraint.is_switch:
        return "the policy is enforced"
    held = _held(policy.list_policy)
    if outcome is Outcome.WRONG:
        return f"refused: {held}"
    return f"the policy names groups of values that only Google can resolve: {held}"


def _held(policy: ListPolicy) -> str:
    if policy.all_values == "DENY":
        return "the policy denies all values"
    lists = {"allows": policy.allowed_values, "denies": policy.denied_values}
    return "the policy " + " and ".join(
        f"{verb} {_shortened(values)}" for verb, values in lists.items() if values
    )


def _shortened(values: Sequence[str], most: int = 5) -> str:
    rest = f" and {len(values) - most} others" if len(values) > most else ""
    return ", ".join(values[:most]) + rest


def _is_allowed(value: str, policy: ListPolicy, in_group: GroupsOf) -> bool | None:
    """Whether a policy allows a value; None where only Google can tell.

    A value is allowed when it is not denied and, where values are allowed by name, among them.
    """
    if policy.all_values != "ALL_VALUES_UNSPECIFIED":
        return policy.all_values == "ALLOW"
    denied = _among(value, policy.denied_values, in_group)
    if denied == "in":
        return False
    allowed = _among(value, policy.allowed_values, in_group) if policy.allowed_values else "in"
    if allowed == "out":
        return False
    return None if "unknown" in (denied, allowed) else True


def _among(value: str, entries: Sequence[str], in_group: GroupsOf) -> Membership:
    found: set[Membership] = {_is_entry(value, entry, in_group) for entry in entries}
    return "in" if "in" in found else "unknown" if "unknown" in found else "out"


def _is_entry(value: str, entry: str, in_group: GroupsOf) -> Membership:
    if entry.startswith(GROUP):
        return in_group(entry.removeprefix(GROUP), value)
    literal = entry.removeprefix(LITERAL)
    if literal == value:
        return "in"
    # A zone of the region: whether it is all that the stack needs depends on what is made there.
    return "unknown" if literal.startswith(f"{value}-") else "out"


_CONTINENTS: Mapping[str, str] = {
    "us-locations": "us-",
    "asia-locations": "asia-",
    "europe-locations": "europe-",
    "australia-locations": "australia-",
}
"""Groups of locations whose regions all begin alike, and that have all of those."""


def _location_group(group: str, region: str) -> Membership:
    if group == f"{region}-locations":
        return "in"
    if beginning := _CONTINENTS.get(group):
        return "in" if region.startswith(beginning) else "out"
    # A group of one region has its name: `in:us-east1-locations`.
    return "out" if group.removesuffix("-locations")[-1:].isdigit() else "unknown"


def _load_balancer_group(group: str, kind: str) -> Membership:
    if group in {"INTERNAL", "EXTERNAL"}:
        return "in" if kind.startswith(group) else "out"
    return "unknown"
