"""Pure: the scheduler tells what the alerts and the dashboard are made of."""

from daskfleet.contract.declared import DeclaredTeam
from daskfleet.team.verify.facts import TeamFacts
from daskfleet.team.verify.model import Check, failed, not_measured, passed

METRICS = "metrics"
OK = 200
ESSENTIAL = "dask_scheduler_workers"
EXPECTED = "/metrics has metrics of Dask"


def metrics(team: DeclaredTeam, facts: TeamFacts) -> Check:
    """Without prometheus_client in the image Dask answers with a comment and no metric."""
    told = facts.metrics
    if told is None:
        return not_measured(METRICS, expected=EXPECTED, seen="not asked: see connection")
    if told.status != OK:
        return failed(
            METRICS,
            expected=EXPECTED,
            seen=told.error or f"/metrics answers {told.status}",
            next_step="See whether the route distributed.http.scheduler.prometheus is switched off "
            f"in the image's Dask configuration (namespace {team.namespace}).",
        )
    if ESSENTIAL not in told.names:
        return failed(
            METRICS,
            expected=EXPECTED,
            seen=f"/metrics answers, without {ESSENTIAL}",
            next_step="Add prometheus_client to the team's image: without it Dask has no metrics, "
            "and the alert DaskSchedulerDown is the only one that can fire.",
        )
    return passed(METRICS, expected=EXPECTED, seen=f"{len(told.names)} metrics of Dask")
