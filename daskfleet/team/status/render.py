"""The report as people read it."""

from collections.abc import Iterator
from datetime import UTC, datetime

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from daskfleet.team.status.model import (
    ClusterKind,
    ClusterStatus,
    DaskStatus,
    GroupStatus,
    PodStatus,
    Report,
    Verdict,
)

STYLES = {
    Verdict.READY: "bold green",
    Verdict.ASLEEP: "bold yellow",
    Verdict.NOT_READY: "bold red",
    Verdict.UNKNOWN: "bold red",
}
SHOWN_RESOURCES = {
    "requests.nvidia.com/gpu": "GPUs",
    "requests.cpu": "cores",
    "requests.memory": "memory",
    "pods": "pods",
}


def rendered(report: Report) -> RenderableType:
    """Return the report for a terminal or a file."""
    return Group(*_parts(report))


def _parts(report: Report) -> Iterator[RenderableType]:
    yield _headline(report)
    yield _pods(report)
    for problem in report.problems:
        yield _told(problem.about, problem.says, problem.means, "red")
    for pod in report.pods:
        if pod.waits_for:
            yield _told(pod.name, pod.waits_for, pod.means, "yellow")
    if report.losses:
        yield Text("  Ended of late:", "bold")
        for loss in report.losses:
            yield Text(f"  {clock(loss.at)} {loss.pod}: {loss.why}")
    for told in report.begun_anew:
        yield Text(f"  recycled: {told}")
    if quotas := _quotas(report):
        yield Text(f"  quota: {quotas}", "dim")
    for unknown in report.not_known:
        yield Text(f"  not known: {unknown}", "yellow")


def _headline(report: Report) -> Text:
    text = Text("  ")
    text.append(f"{report.team}: {report.verdict}", STYLES[report.verdict])
    why = f" ({report.why})" if report.why else ""
    text.append(f"{why}, stack {report.stack}, {clock(report.at)} UTC\n")
    for cluster in report.clusters:
        text.append(f"  {_cluster(cluster)}\n")
    if report.dask:
        text.append(f"  {_dask(report.dask)}\n")
    text.right_crop(1)
    return text


def _cluster(cluster: ClusterStatus) -> str:
    scheduler = "ready" if cluster.is_scheduler_ready else "not ready"
    groups = "; ".join(_group(group, cluster.name) for group in cluster.groups)
    kind = "" if cluster.kind is ClusterKind.FIXED else f" ({cluster.kind})"
    return f"{cluster.name}{kind}: scheduler {scheduler}; {groups or 'no workers'}"


def _group(group: GroupStatus, cluster: str) -> str:
    name = group.name.removeprefix(f"{cluster}-")
    declared = f", {group.declared} declared" if group.declared not in (None, group.wanted) else ""
    if group.wanted is not None and group.ready > group.wanted:  # they are on their way out
        return f"{name}: {group.ready} workers ready, {group.wanted} wanted{declared}"
    of = "?" if group.wanted is None else str(group.wanted)
    return f"{name}: {group.ready} of {of} workers ready{declared}"


def _dask(dask: DaskStatus) -> str:
    parts = [
        f"{counted(dask.clients, 'client')} connected",
        f"{counted(dask.workers, 'worker')} connected",
        f"{counted(dask.tasks, 'task')}, of which {dask.processing:,} with workers and "
        f"{dask.queued:,} queued"
        if dask.tasks
        else "no tasks",
    ]
    if dask.unrunnable:
        parts.append(f"{dask.unrunnable:,} that no worker can run")
    if dask.erred:
        parts.append(f"{dask.erred:,} failed")
    return "; ".join(parts)


def _pods(report: Report) -> Table:
    table = Table(box=box.SIMPLE_HEAD, expand=False)
    for column in ("pod", "role", "state", "age", "restarts", "node"):
        table.add_column(column, overflow="fold", no_wrap=column in {"age", "restarts", "state"})
    for pod in report.pods:
        table.add_row(
            Text(pod.name),
            Text(pod.role or "-"),
            Text("ready", "green") if pod.is_ready else Text("waits", "yellow"),
            _age(pod, report.at),
            str(pod.restarts),
            Text(pod.node or "-"),
        )
    return table


def _told(about: str, says: str, means: str, style: str) -> Text:
    text = Text(f"  {about}: ", style)
    text.append(says, "not bold default")
    if means:
        text.append(f"\n    {means}", "bold default")
    return text


def _quotas(report: Report) -> str:
    return ", ".join(
        f"{SHOWN_RESOURCES[use.resource]} {use.used} of {use.most}"
        for use in report.quotas
        if use.resource in SHOWN_RESOURCES
    )


def counted(number: int, what: str) -> str:
    """Pure: return so many of something, ``1 pod`` or ``2 pods``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def clock(at: str) -> str:
    """Pure: shorten a time of Kubernetes' to the minute, in UTC; what is none stays."""
    try:
        return f"{datetime.fromisoformat(at).astimezone(UTC):%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError):  # the year 1, in another zone
        return at or "(no time)"


def _age(pod: PodStatus, now: str) -> str:
    try:
        passed_s = (
            datetime.fromisoformat(now) - datetime.fromisoformat(pod.created)
        ).total_seconds()
    except (ValueError, TypeError):
        return "?"
    for unit, length_s in (("d", 86400), ("h", 3600), ("min", 60)):
        if passed_s >= length_s:
            return f"{passed_s // length_s:.0f} {unit}"
    return f"{max(passed_s, 0):.0f} s"
