"""Pure: whether an organisation's policies allow what a stack creates.

Policies with conditions on tags, and the managed and custom constraints of Organization Policy v2,
are not told by the API that is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from daskfleet.platform.doctor.constraint_values import Means, Membership, means_name
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.platform.doctor.policy_answers import ListPolicy, OrgPolicy


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

    means: Means = means_name

    @property
    def full_name(self) -> str:
        """As the API spells it."""
        return f"constraints/{self.name}"


def constraint_finding(constraint: Constraint, policy: OrgPolicy) -> Finding:
    """Judge one constraint by the policy that holds for the project."""
    if constraint.is_switch:
        verdicts: dict[str, bool | None] = dict.fromkeys(
            constraint.needed, not policy.boolean_policy.enforced
        )
    else:
        verdicts = {
            value: _is_allowed(value, policy.list_policy, constraint.means)
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


def _is_allowed(value: str, policy: ListPolicy, means: Means) -> bool | None:
    """Whether a policy allows a value; None where only Google can tell.

    A value is allowed when it is not denied and, where values are allowed by name, among them.
    """
    if policy.all_values != "ALL_VALUES_UNSPECIFIED":
        return policy.all_values == "ALLOW"
    denied = _among(value, policy.denied_values, means)
    if denied == "in":
        return False
    allowed = _among(value, policy.allowed_values, means) if policy.allowed_values else "in"
    if allowed == "out":
        return False
    return None if "unknown" in (denied, allowed) else True


def _among(value: str, entries: Sequence[str], means: Means) -> Membership:
    found = {means(entry, value) for entry in entries}
    return "in" if "in" in found else "unknown" if "unknown" in found else "out"
