"""Pure: when somebody should look at a team's Dask cluster, in PromQL.

The rules lie in the team's namespace, and Google's rule evaluator adds to each of their selectors
that it means this namespace of this cluster (prometheus-engine, ``rules_config.go``).
"""

from collections.abc import Iterator
from typing import Any

from daskfleet.planning.sleep import sleeps
from daskfleet.settings.monitoring import Alerts
from daskfleet.settings.team import Team
from manifests.pod_monitoring import CLUSTER_METRIC_LABEL, SCHEDULER_JOB

Rules = dict[str, Any]
"""The ``spec`` of a ``monitoring.googleapis.com/v1`` Rules."""

NAME = "dask"
RUNBOOK = "docs/monitoring.md"
INTERVAL = "1m"

WORKERS = f'dask_scheduler_workers{{job="{SCHEDULER_JOB}"}}'
"""By state; every worker is in exactly one (distributed, ``http/scheduler/prometheus/core.py``)."""

COMPUTED = f'dask_scheduler_tasks_compute_seconds_total{{job="{SCHEDULER_JOB}"}}'
"""By the first part of tasks' names. A kind of task that comes up for the first time is another
series, whose increase nobody sees: so sums are compared, and not increases added up."""

GPU_USED = 'DCGM_FI_DEV_GPU_UTIL{pod=~".+-worker-.+"}'


def alert_rules(team: Team, *, alerts: Alerts, measures_gpus: bool) -> Rules:
    """Return the alerts of a team."""
    rules = list(_rules(team, alerts, measures_gpus=measures_gpus))
    return {"groups": [{"name": NAME, "interval": INTERVAL, "rules": rules}]}


def _rules(team: Team, alerts: Alerts, *, measures_gpus: bool) -> Iterator[dict[str, Any]]:
    yield _alert(
        "DaskSchedulerDown",
        team,
        expr=f'absent(up{{job="{SCHEDULER_JOB}"}} == 1)',
        lasts=f"{alerts.scheduler_down_min}m",
        severity="critical",
        summary=f"Team {team.name} has no Dask scheduler that answers.",
        description=f"For {alerts.scheduler_down_min} minutes no scheduler in namespace "
        f"{team.name} has told its metrics. Clients cannot connect or wait.",
    )
    workers = team.minimum_workers_of_all_groups
    if workers > (1 if sleeps(team) else 0):
        yield _alert(
            "DaskWorkersBelowDeclared",
            team,
            expr=_below(workers, may_be_none=sleeps(team)),
            lasts=f"{alerts.workers_missing_min}m",
            severity="warning",
            summary=f"Team {team.name} has fewer Dask workers than the stack file declares.",
            description=f"For {alerts.workers_missing_min} minutes the scheduler has known "
            f"{{{{ $value }}}} workers or fewer; declared are {workers}.",
        )
    yield _alert(
        "DaskIdleForDays",
        team,
        expr=_idle(f"{alerts.idle_days}d"),
        severity="warning",
        summary=f"Team {team.name} holds workers and has computed nothing for {_days(alerts)}.",
        description=f"Workers of team {team.name} were there all the time, and no task has ended "
        f"on them for {_days(alerts)}. Their nodes cost the same as busy ones.",
    )
    if measures_gpus:
        yield _alert(
            "DaskGpuIdleForDays",
            team,
            expr=_gpu_idle(f"{alerts.idle_days}d"),
            severity="warning",
            summary=f"A GPU of team {team.name} has not been used for {_days(alerts)}.",
            description="The GPU of pod {{ $labels.pod }} has had no kernel to run for "
            f"{_days(alerts)}.",
        )


def _alert(
    name: str,
    team: Team,
    *,
    expr: str,
    severity: str,
    summary: str,
    description: str,
    lasts: str | None = None,
) -> dict[str, Any]:
    return {
        "alert": name,
        "expr": expr,
        **({"for": lasts} if lasts else {}),
        "labels": {"severity": severity, "team": team.name},
        "annotations": {
            "summary": summary,
            "description": description,
            "runbook": f"{RUNBOOK}#{name.lower()}",
        },
    }


def _below(workers: int, *, may_be_none: bool) -> str:
    """Too few in the cluster that has most: during a roll the other one has not got its own yet.

    Where workers sleep, none at all is as it should be.
    """
    known = f"max(sum by ({CLUSTER_METRIC_LABEL}) ({WORKERS}))"
    return f"({known} > 0) < {workers}" if may_be_none else f"{known} < {workers}"


def _idle(days: str) -> str:
    """Less than a second computed between then and now, by a scheduler that was there then.

    One that has restarted since counts from nothing, which is a difference too.
    """
    now, then = f"sum({COMPUTED})", f"sum({COMPUTED} offset {days})"
    was_there = f'sum(up{{job="{SCHEDULER_JOB}"}} offset {days}) > 0'
    held = f"min_over_time(sum({WORKERS})[{days}:1h]) > 0"
    computed = f"abs(({now} or vector(0)) - ({then} or vector(0)))"
    return f"{computed} < 1 and on() {was_there} and on() {held}"


def _gpu_idle(days: str) -> str:
    """Of pods that are there and were there then: a range reaches back to pods that have gone."""
    return (
        f"max by (pod) (max_over_time({GPU_USED}[{days}])) == 0 "
        f"and on(pod) {GPU_USED} and on(pod) {GPU_USED} offset {days}"
    )


def _days(alerts: Alerts) -> str:
    return f"{alerts.idle_days} day{'s' if alerts.idle_days > 1 else ''}"
