"""Beginning with a snapshot, as steps that are shown."""

from datetime import datetime

from rehearsal.progress import Steps
from rehearsal.snapshots.names import existing_snapshot
from rehearsal.snapshots.pods_again import late_pods
from rehearsal.snapshots.put_back import put_back
from rehearsal.stage.stack_file import check_stack_file
from rehearsal.supervisor.record import SupervisorRecord
from rehearsal.workspace import Workspace


def begin_with(workspace: Workspace, name: str, *, steps: Steps) -> None:
    """Put what was saved under a name in the place of the stage, at rest.

    Raises:
        RehearsalError: there is no such snapshot, or it cannot be used; what runs, runs on.

    """
    snapshot = existing_snapshot(workspace, name)
    check_stack_file(workspace)  # before what runs is ended
    with steps.step("put back") as step:
        put_back(workspace, snapshot, report=step.report)
        step.outcome = f"the stage as it was saved in {snapshot}"


def wait_for_pods(supervisor: SupervisorRecord, *, since: datetime, steps: Steps) -> None:
    """Wait for the processes of Dask pods, where pods have any."""
    with steps.step("Dask pods") as step:
        late = late_pods(supervisor, since=since)
        step.outcome = f"not ready: {', '.join(late)}" if late else "as they were"
