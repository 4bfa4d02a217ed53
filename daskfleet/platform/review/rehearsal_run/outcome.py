"""Pure: from what was seen to what the review is told."""

from collections.abc import Iterator, Mapping, Sequence

from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.review.model import Discrepancy, Preview
from rehearsal.report.address_watch import Moment, unserved_s
from rehearsal.report.model import SecondUp

REASONS_SHOWN = 3


def unserved(moments: Mapping[str, Sequence[Moment]], plan: FleetPlan) -> Mapping[str, float]:
    """Seconds without a ready scheduler, by team that had one and is to keep it."""
    seconds = {
        each.team.name: unserved_s(moments[each.team.name])
        for each in plan.teams
        if each.team.name in moments and moments[each.team.name][0].schedulers
    }
    return {team: lost for team, lost in seconds.items() if lost}


def noise(second: SecondUp) -> Iterator[Discrepancy]:
    """What an `up` of unchanged settings did all the same."""
    words = [f"{second.changed_resources} resources changed"] if second.changed_resources else []
    words += [*second.google_writes, *second.kubernetes_writes][:REASONS_SHOWN]
    if words:
        yield Discrepancy(
            subject="a second `pulumi up`",
            foretold="changes nothing, writes nothing",
            seen="; ".join(words),
        )


def reasons(run: Preview) -> str:
    """Why a run of the engine failed, in its own words."""
    return "; ".join(run.errors[:REASONS_SHOWN]) or "the engine gave no reason"
