"""Pure: small computations gave the results that are known."""

from collections.abc import Sequence

from daskfleet.contract.declared import DeclaredFleet, DeclaredTeam
from daskfleet.team.verify.checks.gpus import NO_GPU
from daskfleet.team.verify.checks.wording import Workers, by_address, counted, words, worker_name
from daskfleet.team.verify.facts import Computation, DaskFacts, TeamFacts
from daskfleet.team.verify.model import Check, failed, not_measured, passed

COMPUTATION = "computation"
GPU_COMPUTATION = "computation on GPUs"


def computation(team: DeclaredTeam, facts: TeamFacts) -> Check:
    """Each worker computes right, and Dask's collections do."""
    done = facts.dask.computations
    expected = _expected(done) or "a known result from each worker"
    if not done:
        return not_measured(COMPUTATION, expected=expected, seen="no worker answers")
    return _judged(COMPUTATION, done, facts.dask, team, expected=expected)


def gpu_computation(fleet: DeclaredFleet, team: DeclaredTeam, facts: TeamFacts) -> Check:
    """Each worker's GPU computes right with cupy and cudf, where the workers have GPUs."""
    pools = list(dict.fromkeys(pool for group in team.all_groups for pool in group.pools))
    if not any(fleet.pool(pool).accelerator for pool in pools):
        return passed(
            GPU_COMPUTATION,
            expected=f"nothing: no GPUs on {', '.join(pools)}",
            seen="no GPU declared",
        )
    done = facts.dask.gpu_computations
    present = [each for each in done if not each.is_absent]
    expected = _expected(present) or "a known result from each GPU, with cupy and cudf"
    if not done:
        return not_measured(GPU_COMPUTATION, expected=expected, seen=NO_GPU)
    if not present:
        return not_measured(
            GPU_COMPUTATION,
            expected=expected,
            seen="the workers have neither cupy nor cudf",
            next_step=f"Build them into the team's image ({team.image}) if it is to use GPUs.",
        )
    return _judged(GPU_COMPUTATION, present, facts.dask, team, expected=expected)


def _expected(done: Sequence[Computation]) -> str:
    return ", ".join(dict.fromkeys(f"{each.what} is {each.expected}" for each in done))


def _judged(
    name: str, done: Sequence[Computation], dask: DaskFacts, team: DeclaredTeam, *, expected: str
) -> Check:
    logs = f"`kubectl logs --namespace {team.namespace} <pod>`"
    if wrong := [each for each in done if not each.is_right and not each.is_overdue]:
        workers = by_address(dask)
        return failed(
            name,
            expected=expected,
            seen="; ".join(_seen(each, workers) for each in wrong),
            next_step=f"The worker's log has the whole error: {logs}."
            if any(each.raised for each in wrong)
            else "A wrong result is worse than none. Remove the worker (`kubectl delete pod`), "
            "and compare its libraries and its node with the others'.",
        )
    if late := [each for each in done if each.is_overdue]:
        return not_measured(
            name,
            expected=expected,
            seen=f"{counted(len(late), 'result')} of {len(done)} did not come in time",
            next_step="Ask again when the cluster is idle. If it stays so, the dashboard's task "
            f"stream shows what the workers do, and {logs} what they say.",
        )
    return passed(name, expected=expected, seen=f"{counted(len(done), 'result')}, all right")


def _seen(done: Computation, workers: Workers) -> str:
    where = f" on {worker_name(workers, done.on)}" if done.on else ""
    if done.raised:
        return f"{done.what}{where} failed: {words(done.raised)}"
    return f"{done.what}{where} is {done.seen}"
