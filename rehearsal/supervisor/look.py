"""Reading the supervisor's record for what the user must know."""

from rehearsal.errors import RehearsalError
from rehearsal.supervisor.launch import live_supervisor
from rehearsal.supervisor.record import ClusterRecord, SupervisorRecord
from rehearsal.workspace import Workspace

START_AFRESH = "Start afresh: `./daskfleet rehearse down`, then `./daskfleet rehearse up`."


def what_is_dead(workspace: Workspace) -> str | None:
    """Say which process of the stage has ended by itself, or None while all run."""
    record = live_supervisor(workspace)
    if record is None:
        return (
            f"The rehearsal's supervisor has ended; its last words are in "
            f"{workspace.logs_dir / 'supervisor.log'}. {START_AFRESH}"
        )
    dead = [process for cluster in record.clusters for process in cluster.dead_processes]
    if not dead:
        return None
    names = ", ".join(f"{d.name} (exit code {d.exit_code}, log {d.log_file})" for d in dead)
    return f"The control plane is broken: {names} ended by itself. {START_AFRESH}"


def cluster_named(record: SupervisorRecord, name: str) -> ClusterRecord:
    """Return the control plane of the GKE cluster ``name``.

    Raises:
        RehearsalError: there is none.

    """
    for cluster in record.clusters:
        if cluster.name == name:
            return cluster
    raise RehearsalError(
        f"The emulated Google Cloud has no cluster {name}; run `./daskfleet rehearse up`."
    )
