"""When the engine worked on each resource, collected while it says so."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class ResourceWork:
    """The engine's work on one resource, from its first step to its last."""

    name: str
    begin_s: float
    """Seconds since the engine was started."""
    end_s: float
    is_created: bool
    """Whether one of the steps created it."""


@dataclass
class StepTimes:
    """Collects steps by the moments at which the engine's words about them arrived.

    The engine's own timestamps have whole seconds.
    """

    _begun: dict[str, float] = field(default_factory=dict)
    _worked: dict[str, ResourceWork] = field(default_factory=dict)

    def began(self, urn: str, *, at_s: float) -> None:
        """Take note that a step on a resource began."""
        self._begun[urn] = at_s

    def ended(self, urn: str, *, name: str, operation: str, at_s: float) -> None:
        """Take note that a step on a resource ended."""
        before = self._worked.get(urn)
        is_create = operation in {"create", "create-replacement"}
        begin_s = self._begun.pop(urn, at_s)
        self._worked[urn] = ResourceWork(
            name=name,
            begin_s=before.begin_s if before else begin_s,
            end_s=at_s,
            is_created=is_create or (before is not None and before.is_created),
        )

    @property
    def worked(self) -> Mapping[str, ResourceWork]:
        """What was worked on, by URN; a step that failed is not in it."""
        return self._worked
