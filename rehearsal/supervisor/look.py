"""Reading the supervisor's record for what the user must know."""

from rehearsal.errors import RehearsalError
from rehearsal.supervisor.launch import live_supervisor
from rehearsal.supervisor.record import ClusterRecord, OperatorRecord, SupervisorRecord
from rehearsal.workspace import Workspace

FAILURES_IN_A_ROW = 3
"""Once is a lost port or a slow API server; restarts come after 1, 2 and 4 s."""


def what_is_dead(workspace: Workspace) -> str | None:
    """Say which process of the stage has ended by itself, or None while all run."""
    afresh = start_afresh(workspace)
    record = live_supervisor(workspace)
    if record is None:
        return (
            f"The rehearsal's supervisor has ended; its last words are in "
            f"{workspace.logs_dir / 'supervisor.log'}. {afresh}"
        )
    dead = [process for cluster in record.clusters for process in cluster.dead_processes]
    if dead:
        names = ", ".join(f"{d.name} (exit code {d.exit_code}, log {d.log_file})" for d in dead)
        return f"The control plane is broken: {names} ended by itself. {afresh}"
    for operator in (cluster.operator for cluster in record.clusters):
        if operator and _keeps_ending(operator):
            return (
                f"The Dask operator's process ends soon after each start; its last words are in "
                f"{operator.log_file}. {afresh}"
            )
    return None


def start_afresh(workspace: Workspace) -> str:
    """Return the way out of a broken stage, as a sentence."""
    return f"Start afresh: `{workspace.command('down')}`, then `{workspace.command('up')}`."


def _keeps_ending(operator: OperatorRecord) -> bool:
    """Tell a process that cannot work from one that is on its way up again."""
    return operator.failures_in_a_row >= FAILURES_IN_A_ROW and not operator.process.is_alive


def cluster_named(record: SupervisorRecord, name: str) -> ClusterRecord:
    """Return the control plane of the GKE cluster ``name``.

    Raises:
        RehearsalError: there is none.

    """
    for cluster in record.clusters:
        if cluster.name == name:
            return cluster
    raise RehearsalError(
        f"The emulated Google Cloud has no cluster {name}; run `daskfleet rehearse up`."
    )
