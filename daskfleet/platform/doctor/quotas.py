"""Pure: what a stack needs of its quotas beside what the project has of them."""

from collections.abc import Iterator, Mapping

from daskfleet.platform.doctor.answers import Quota
from daskfleet.platform.doctor.model import Area, Finding, Outcome, not_looked_at
from daskfleet.platform.doctor.needs import Need, Needs

NOTE = "A quota is permission, not capacity: a zone may be out of GPUs although there is quota."

SPOT = "PREEMPTIBLE_"


def without_quota_for_spot(quotas: Mapping[str, Quota], needs: Needs) -> frozenset[str]:
    """The metrics of spot capacity that the project lacks: there the quota on demand counts."""
    asked = (need.metric for need in needs.needs if need.metric.startswith(SPOT))
    return frozenset(m for m in asked if m not in quotas or not quotas[m].limit)


def quota_findings(
    needs: Needs, quotas: Mapping[str, Quota], used: Mapping[str, int], *, project: str, region: str
) -> Iterator[Finding]:
    """Judge each need.

    Args:
        needs: what the stack needs in all.
        quotas: what the project has, by metric.
        used: what of each metric's usage the stack's own cluster causes.
        project: ID of the project.
        region: where the nodes are.
    """
    for need in needs.needs:
        subject = _subject(need, region)
        if need.metric in quotas:
            quota = quotas[need.metric]
            yield _finding(need, quota, used.get(need.metric, 0), project=project, region=region)
        else:
            why = f"{_count(need.up)} needed, and Compute Engine's answer has no such quota"
            yield not_looked_at(Area.QUOTA, subject, why)
    for what in needs.uncounted:
        yield not_looked_at(Area.QUOTA, what, "no source names the quota that counts this")


def _finding(need: Need, quota: Quota, own: int, *, project: str, region: str) -> Finding:
    usable = quota.limit - quota.usage + own
    if need.up > usable:
        outcome, wanted = Outcome.WRONG, need.up
        fix = f"Ask for {_count(need.up - usable)} more, and wait for the answer."
    elif need.most > usable:
        outcome, wanted = Outcome.WARNING, need.most
        fix = (
            f"Enough for now. With all pools at their largest (and doubled by replacement: surge) "
            f"{_count(need.most)} are needed: {_count(need.most - usable)} more."
        )
    else:
        outcome, wanted, fix = Outcome.OK, need.most, ""
    own_part = f", {own} of it by this stack" if own else ""
    return Finding(
        area=Area.QUOTA,
        subject=_subject(need, region),
        outcome=outcome,
        needed=f"{need.up} ({', '.join(need.reasons)})" if need.reasons else f"{need.up}",
        there=f"limit {_count(quota.limit)}, used {_count(quota.usage)}{own_part}",
        fix=fix,
        command=""
        if outcome is Outcome.OK
        else _command(need, int(wanted - own + quota.usage), project=project, region=region),
    )


def _subject(need: Need, region: str) -> str:
    return f"{need.metric} in {'all regions' if need.scope == 'project' else region}"


def _command(need: Need, limit: int, *, project: str, region: str) -> str:
    """The quota's ID is its metric's name and scope, as in Google's CPUS-per-project-region."""
    name = need.metric.replace("_", "-")
    scope = "per-project" if need.scope == "project" else "per-project-region"
    dimension = "" if need.scope == "project" else f" --dimensions=region={region}"
    return (
        f"gcloud beta quotas preferences create --project={project} "
        f"--service=compute.googleapis.com --quota-id={name}-{scope}{dimension} "
        f"--preferred-value={limit}"
    )


def _count(number: float) -> str:
    return f"{number:g}" if number < 1e6 else f"{number:.0f}"  # noqa: PLR2004 - %g would round
