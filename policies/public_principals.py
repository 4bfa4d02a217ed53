"""What IAM grants is granted to somebody."""

from collections.abc import Iterator, Sequence

from policies.declared import Declared, items_of
from policies.rule import NoParameters, Rule, Violation

PUBLIC = ("allUsers", "allAuthenticatedUsers")
"""Anyone on the internet; anyone with any Google account
(cloud.google.com/iam/docs/principal-identifiers)."""

GRANTS = ("IAMMember", "IAMBinding")
"""How types of a member or of the members of a role end, whatever the policy is of."""


def _check(fleet: Sequence[Declared], parameters: NoParameters) -> Iterator[Violation]:
    del parameters
    for resource in fleet:
        if resource.is_in_kubernetes or not resource.kind.endswith(GRANTS):
            continue
        members = [resource.at("member"), *items_of(resource.at("members"))]
        for member in members:
            if member in PUBLIC:
                yield Violation(
                    resource=resource,
                    message=f"It grants {resource.at('role')} to {member}, which is everybody. "
                    f"Name those who are meant.",
                )


RULE = Rule(
    name="public-principals",
    description="No IAM grant is for everybody.",
    level="mandatory",
    scope="resource",
    parameters=NoParameters,
    check=_check,
)
