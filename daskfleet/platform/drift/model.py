"""What a comparison finds: differences, each with its owner, the evidence and what to do."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, JsonValue

Path = tuple[str | int, ...]
"""Keys and list positions that lead to a value."""

HIDDEN = "[secret]"
"""In place of what is declared as a secret; no report, and nobody who compares, gets more."""


class Severity(StrEnum):
    """How bad a difference is; the order is that of the report."""

    GONE = "gone"
    """Something declared does not exist any more, or will not for long."""
    UNKNOWN = "unknown to the stack"
    """Something exists that nobody declared, where only declared things belong."""
    CHANGED = "changed"
    INFORMATION = "information"
    """Not drift: its owner may do this, and one should know what it means."""


class Owner(StrEnum):
    """Who made the difference, as far as the evidence goes."""

    HAND = "a hand edit"
    USER_SCALE = "a user's scaling"
    DASK_AUTOSCALER = "a user's Dask autoscaler"
    SOMEBODY = "somebody who deleted it"
    SOMEBODY_OR_IDLE = "somebody who deleted it, or an idle timeout"
    OPERATOR = "the Dask operator"
    GOOGLE_CLOUD_USER = "somebody with access to Google Cloud"
    NOT_RECORDED = "not recorded"
    GKE = "GKE"


class Difference(BaseModel):
    """One thing that is not as declared."""

    model_config = ConfigDict(frozen=True)

    severity: Severity
    resource: str
    """For example ``NetworkPolicy climate/egress``."""
    field: str = ""
    """Dotted path; empty when the resource as a whole differs."""
    declared: JsonValue = None
    """None: nothing is declared there."""
    found: JsonValue = None
    """None: there is nothing."""
    owner: Owner
    evidence: str
    remedy: str
    ask: str = ""
    """A command that asks Google's audit log who did it, where that can tell."""

    @property
    def is_drift(self) -> bool:
        """Whether this counts for the exit status."""
        return self.severity is not Severity.INFORMATION


class Report(BaseModel):
    """The outcome of one comparison."""

    model_config = ConfigDict(frozen=True)

    stack: str
    differences: tuple[Difference, ...]
    notices: tuple[str, ...] = ()
    """What limits this comparison."""
    google_resources: int
    """Number of resources that were compared."""
    kubernetes_objects: int

    @property
    def has_drifted(self) -> bool:
        """Whether anything is not as declared."""
        return any(difference.is_drift for difference in self.differences)


def by_severity(differences: list[Difference]) -> tuple[Difference, ...]:
    """Return the differences in the order of the report: what is gone or odd first."""
    rank = {severity: position for position, severity in enumerate(Severity)}
    return tuple(sorted(differences, key=lambda d: (rank[d.severity], d.resource, d.field)))
