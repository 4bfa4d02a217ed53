"""Pure: what a reader of one line must know, and why."""

from collections.abc import Mapping, Sequence

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.changes.consequence import Consequence
from daskfleet.platform.review.gate import DESTRUCTIVE
from daskfleet.platform.review.model import Verdict

CARE_FROM = ChangeClass.INTERRUPTS_CLIENTS
"""From here on somebody feels it who did not ask for it."""

NOT_A_CHANGE = frozenset({"read", "refresh", "unchanged"})


def verdict(
    counts: Mapping[str, int],
    consequences: Sequence[Consequence],
    *,
    failure: str,
    concerns: Sequence[str] = (),
) -> tuple[Verdict, str]:
    """The verdict and its reason in one line.

    Args:
        counts: resources by operation.
        consequences: the worst first.
        failure: why nothing can be said; empty when something can.
        concerns: why a change needs care that nobody feels.
    """
    if failure:
        return Verdict.FAILED, failure
    worst = consequences[0] if consequences else None
    if worst and worst.change_class in DESTRUCTIVE:
        return Verdict.DESTROYS, _headline(consequences)
    if worst and worst.change_class >= CARE_FROM:
        return Verdict.NEEDS_CARE, _headline(consequences)
    if not any(count for each, count in counts.items() if each not in NOT_A_CHANGE):
        unchanged = f"{counts.get('unchanged', 0)} resources stay as they are"
        return (Verdict.NEEDS_CARE, concerns[0]) if concerns else (Verdict.NO_CHANGE, unchanged)
    if concerns:
        return Verdict.NEEDS_CARE, concerns[0]
    return Verdict.SAFE, _harmless(worst)


def _headline(consequences: Sequence[Consequence]) -> str:
    worst = consequences[0]
    alike = sum(each.change_class is worst.change_class for each in consequences) - 1
    return f"{worst.headline} (and {alike} more of the kind)" if alike else worst.headline


def _harmless(worst: Consequence | None) -> str:
    if worst is None or worst.change_class is ChangeClass.NOTHING:
        return "only Pulumi's own state changes"
    if worst.change_class is ChangeClass.ADDS:
        return "something new comes; what runs is not touched"
    if worst.change_class is ChangeClass.RESTARTS_PLATFORM:
        return "parts of the platform restart; Dask clusters and connections stay"
    return "changed in place; pods, nodes and connections stay"
