"""Pure: from what was read to the report."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from daskfleet.contract.declared import DeclaredTeam
from daskfleet.pod_status import KubernetesObject
from daskfleet.team.status.clusters import cluster_statuses, missing_pods
from daskfleet.team.status.losses import losses
from daskfleet.team.status.model import ClusterStatus, Problem, QuotaUse, Report, Verdict
from daskfleet.team.status.observed import Observed
from daskfleet.team.status.pods import pod_statuses
from daskfleet.team.status.sick_gpus import sick_gpus
from in_cluster.idle_controller.note import Note, asleep
from in_cluster.idle_controller.recycle_note import SchedulerNote, worker_text


def assess(
    team: DeclaredTeam, observed: Observed, *, name: str, stack: str, at: datetime
) -> Report:
    """Judge the fixed cluster by its pods, and describe everything else."""
    events = observed.events or ()
    pods = pod_statuses(
        observed.pods or (), events, team=name, fixed=team.dask_cluster, image=team.image
    )
    clusters = cluster_statuses(team, observed, pods)
    fixed = clusters[0]
    group = _first_group(team, observed.groups or ())
    note = asleep(group) if group else None
    verdict = Verdict.UNKNOWN
    if observed.pods is not None:
        verdict = _verdict(team, fixed, note, groups_are_known=observed.groups is not None)
    there = {each["metadata"]["name"] for each in observed.clusters or ()}
    judged = () if observed.pods is None else [each for each in clusters if each.name in there]
    return Report(
        team=name,
        stack=stack,
        namespace=team.namespace,
        at=at.isoformat(timespec="seconds"),
        verdict=verdict,
        why=note.text if note and verdict is Verdict.ASLEEP else "",
        clusters=clusters,
        pods=pods,
        problems=(
            *_lost_objects(team, observed),
            *missing_pods(judged, pods, events),
            *_unconnected(fixed, observed),
            *sick_gpus(observed.pods or (), events),
        ),
        losses=losses(observed.pods or (), events),
        begun_anew=tuple(_begun_anew(group)) if group else (),
        quotas=tuple(_quotas(observed.quotas or ())),
        dask=observed.dask,
        not_known=observed.not_known,
    )


def _verdict(
    team: DeclaredTeam, fixed: ClusterStatus, note: Note | None, *, groups_are_known: bool
) -> Verdict:
    if not fixed.is_scheduler_ready:
        return Verdict.NOT_READY
    # Of an adaptive team what is declared is always there, and more comes and goes.
    counts_declared = team.most_workers is not None and note is None
    for group in fixed.groups:
        asked = group.declared if counts_declared or group.wanted is None else group.wanted
        if group.ready < (asked or 0):
            # Fewer may be asked for, and none while they sleep.
            return Verdict.NOT_READY if groups_are_known else Verdict.UNKNOWN
    return Verdict.READY if note is None else Verdict.ASLEEP


def _first_group(team: DeclaredTeam, groups: Sequence[KubernetesObject]) -> KubernetesObject | None:
    first = team.all_groups[0].dask_worker_group
    return next((each for each in groups if each["metadata"]["name"] == first), None)


def _begun_anew(group: KubernetesObject) -> Iterator[str]:
    scheduler = SchedulerNote.of(group)
    for text in (scheduler and scheduler.text, worker_text(group)):
        if text:
            yield text


def _lost_objects(team: DeclaredTeam, observed: Observed) -> Iterator[Problem]:
    """Say what is declared and not there, which the operator does not make again."""
    kinds = (
        ("DaskCluster", (team.dask_cluster,), observed.clusters),
        (
            "DaskWorkerGroup",
            tuple(group.dask_worker_group for group in team.all_groups),
            observed.groups,
        ),
    )
    for kind, names, found in kinds:
        there = {each["metadata"]["name"] for each in found or ()}
        for name in names if found is not None else ():
            if name not in there:
                yield Problem(
                    about=f"{kind} {name}",
                    says="is not there",
                    means="Somebody has deleted it, or a rollout is going on. Platform engineers "
                    "run `pulumi up --refresh`.",
                )


def _unconnected(fixed: ClusterStatus, observed: Observed) -> Iterator[Problem]:
    ready = sum(group.ready for group in fixed.groups)
    if observed.dask is not None and observed.dask.workers < ready:
        yield Problem(
            about=f"{ready - observed.dask.workers} workers",
            says=f"{ready} worker pods are ready, and {observed.dask.workers} workers are "
            "connected to the scheduler",
            means="They connect again by themselves within seconds. If not, see `daskfleet logs`.",
        )


def _quotas(quotas: Sequence[KubernetesObject]) -> Iterator[QuotaUse]:
    for quota in sorted(quotas, key=lambda each: str(each["metadata"]["name"])):
        status = quota.get("status") or {}
        used = status.get("used") or {}
        for resource, most in (status.get("hard") or {}).items():
            yield QuotaUse(resource=resource, used=str(used.get(resource, "?")), most=str(most))
