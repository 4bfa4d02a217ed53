"""Reading the history: Pulumi's records, and what Kubernetes keeps of what they did."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from daskfleet.access.errors import AccessError
from daskfleet.access.kubeconfig import required_kubeconfig
from daskfleet.access.pulumi_cli import Pulumi
from daskfleet.access.pulumi_state import export_state, stack_outputs
from daskfleet.platform.history.errors import HistoryError
from daskfleet.platform.history.model import History
from daskfleet.platform.history.pulumi_records import read_records
from daskfleet.platform.history.seen import look_at
from daskfleet.platform.history.updates import history_of


def read_history(
    project_dir: Path,
    stack: str | None,
    *,
    days: float,
    progress: Callable[[str], None] = lambda _: None,
) -> History:
    """Read what the last days brought; changes nothing and takes no lock.

    That the cluster cannot be asked is told in the history's ``unknown``.

    Raises:
        HistoryError: Pulumi does not tell, or there is no such stack.

    """
    read_at = datetime.now(tz=UTC).replace(microsecond=0)
    since = read_at - timedelta(days=days)
    pulumi = Pulumi(project_dir=project_dir, stack=stack)
    progress("reading Pulumi's history")
    records, is_all = read_records(pulumi, since=since)
    name, seen, unread = stack or "", None, ""
    try:
        progress("reading the state")
        state = export_state(project_dir, stack)
        name = stack_outputs(state)[0] or name
        kubeconfig = required_kubeconfig(state)
        progress("reading the cluster")
        seen = look_at(kubeconfig)
    except AccessError as error:
        unread = f"The cluster was not asked: {error}"
    try:
        name = name or pulumi.run("stack", "--show-name").strip()
    except AccessError as error:
        raise HistoryError(str(error)) from error
    return history_of(
        name,
        records,
        is_all=is_all,
        since=since,
        read_at=read_at,
        seen=seen,
        unread=unread,
    )
