"""Pure: did the client get through to the scheduler of the declared cluster?"""

from daskfleet.contract.declared import DeclaredTeam
from daskfleet.team.verify.checks.wording import counted
from daskfleet.team.verify.facts import TeamFacts
from daskfleet.team.verify.model import Check, failed, not_measured, passed

CONNECTION = "connection"


def connection(team: DeclaredTeam, facts: TeamFacts) -> Check:
    """The team's Service leads to the declared cluster's scheduler, and that answers."""
    expected = f"Service dask leads to the scheduler of {team.dask_cluster}, which answers"
    look = f"`kubectl logs --namespace {team.namespace} deployment/{team.dask_cluster}-scheduler`"
    if facts.service_leads_to != team.dask_cluster:
        return failed(
            CONNECTION,
            expected=expected,
            seen=f"Service dask leads to {facts.service_leads_to or 'nothing: it does not exist'}",
            next_step="Run `pulumi up`: it moves the address when the declared cluster is ready.",
        )
    if facts.certificate_error:
        return not_measured(CONNECTION, expected=expected, seen="not asked: see TLS")
    if facts.not_asked:
        return not_measured(
            CONNECTION,
            expected=expected,
            seen=facts.not_asked,
            next_step="What became of the pod that was to ask is in `kubectl get events "
            f"--namespace {team.namespace}`.",
        )
    if error := facts.dask.connection_error:
        return failed(
            CONNECTION,
            expected=expected,
            seen=error,
            next_step=f"Read the scheduler's log: {look}. If it runs, a network policy, a "
            "proxy or very different releases of distributed may stand between it and this "
            "client.",
        )
    silent = [
        f"{name}: {error}"
        for name, error in (
            ("the scheduler", facts.dask.scheduler.error),
            *((f"worker at {each.address}", each.error) for each in facts.dask.workers),
        )
        if error
    ]
    if silent:
        return failed(
            CONNECTION,
            expected="scheduler and workers answer",
            seen="; ".join(silent),
            next_step=f"See what it says: {look}, for a worker with its Deployment. A process that "
            "does not answer is busy in code that holds the GIL, or hangs.",
        )
    return passed(
        CONNECTION,
        expected=expected,
        seen=f"the scheduler and {counted(len(facts.dask.workers), 'worker')} answer",
    )
