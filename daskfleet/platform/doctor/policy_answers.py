"""What Google answers about policies: who may do what, and what an organisation allows."""

from typing import Literal

from daskfleet.platform.doctor.answers import Answer


class Binding(Answer):
    """Who has a role."""

    role: str = ""
    members: tuple[str, ...] = ()
    condition: dict[str, str] | None = None


class Policy(Answer):
    """The IAM policy of a resource; what its parents grant is not in it."""

    bindings: tuple[Binding, ...] = ()

    def grants(self, role: str, member: str) -> bool:
        """Whether a member has a role at all times."""
        return any(
            each.role == role and member in each.members and each.condition is None
            for each in self.bindings
        )


class BooleanPolicy(Answer):
    """A constraint that is on or off."""

    enforced: bool = False


class ListPolicy(Answer):
    """Which values a constraint allows or denies."""

    all_values: Literal["ALL_VALUES_UNSPECIFIED", "ALLOW", "DENY"] = "ALL_VALUES_UNSPECIFIED"
    allowed_values: tuple[str, ...] = ()
    denied_values: tuple[str, ...] = ()


class OrgPolicy(Answer):
    """What holds of one constraint for a project, after its folders and its organisation."""

    boolean_policy: BooleanPolicy = BooleanPolicy()
    list_policy: ListPolicy = ListPolicy()
