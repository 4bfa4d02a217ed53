"""Pure: has every resource that the engine counts a step that says what happens to it?"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from daskfleet.platform.review.engine_step import EngineStep
from daskfleet.platform.review.events import RunSummary, title_of
from daskfleet.platform.review.presentable import message

COUNTED = frozenset({"same", "create", "update", "delete", "replace", "read", "import", "discard"})
"""What the engine's summary counts (``Step.Logical`` in pkg/resource/deploy/step.go)."""

NOT_COUNTED = frozenset(
    {
        "create-replacement",
        "delete-replaced",
        "discard-replaced",
        "read-replacement",
        "import-replacement",
        "refresh",
        "remove-pending-replace",
        "extend-parameterize",
    }
)
"""Parts of a replacement, which ``replace`` counts, looks before the preview, and what the engine
calls internal: it is in the event log and in no summary (``isInternalStep`` in
pkg/engine/update.go). ``diff`` is none of them, since the engine never tells it."""

DEFAULT_PROVIDERS = ("default", "default_")
"""Names of providers that the engine makes by itself and counts nowhere."""

NOTHING_TOLD = "No resource is accounted for: the engine names none, not even the stack itself."
NEXT_STEP = (
    "What the change does to the rest is not known. Run the preview again. If the result is the "
    "same, use the Pulumi version from requirements.txt."
)
LONGEST_OPERATION = 40
_PROVIDER = "pulumi:providers:"


@dataclass(kw_only=True)
class Account:
    """The steps that were told, to be held against the engine's own count."""

    _counts: Counter[str] = field(default_factory=Counter)
    _unknown: dict[str, str] = field(default_factory=dict)
    """The first resource of each operation that nobody knows."""

    _without_state: list[str] = field(default_factory=list)

    def take(self, step: EngineStep) -> None:
        """Take in one step, components included: the engine counts them too."""
        if step.operation not in COUNTED | NOT_COUNTED:
            self._unknown.setdefault(step.operation, step.urn)
        elif step.old is None and step.new is None:
            self._without_state.append(step.urn)
        if step.operation in COUNTED and not _is_default_provider(step):
            self._counts[step.operation] += 1

    def missing(self, end: RunSummary) -> str:
        """What cannot be accounted for, and the next step; empty when everything is."""
        if not self._counts and not end.changes and not self._unknown:
            return f"{NOTHING_TOLD} {NEXT_STEP}"
        found = "; ".join([*self._not_understood(), *self._not_told(end)])
        return f"Not every resource is accounted for: {found}. {NEXT_STEP}" if found else ""

    def _not_understood(self) -> Iterator[str]:
        for operation, urn in self._unknown.items():
            name = message(operation)[:LONGEST_OPERATION]
            yield f"{title_of(urn) or 'the stack'} has the unknown operation {name}"
        if self._without_state:
            first = title_of(self._without_state[0]) or "the stack"
            yield f"{len(self._without_state)} steps come without their resource, first {first}"

    def _not_told(self, end: RunSummary) -> Iterator[str]:
        for operation in sorted(self._counts.keys() | end.changes.keys()):
            told, counted = self._counts[operation], end.changes.get(operation, 0)
            # What was read and is as before is no change to the engine (shouldRecordReadStep).
            is_less = operation == "read" and counted <= told
            is_more = operation == "same" and counted >= told and not end.tells_unchanged
            # An unknown operation has been named already.
            if told != counted and not is_less and not is_more and operation not in self._unknown:
                name = message(operation)[:LONGEST_OPERATION]
                yield f"the engine's summary counts {counted:,} {name}, and its steps {told:,}"


def _is_default_provider(step: EngineStep) -> bool:
    name = step.urn.split("::", 3)[-1]
    default, prefix = DEFAULT_PROVIDERS
    return step.type.startswith(_PROVIDER) and (name == default or name.startswith(prefix))
