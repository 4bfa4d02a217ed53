"""The quota of Dask clusters, which Kubernetes does not count at once."""

from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.waiting import until

KIND = "count/daskclusters.kubernetes.dask.org"


def until_counted(fleet: RunningRehearsal, team: str) -> None:
    """Wait until the quota knows how many there are; before, it refuses every one."""
    used = ("get", "resourcequota", "ephemeral-clusters", "--output", "jsonpath={.status.used}")
    until(lambda: KIND in kubectl(fleet, "--namespace", team, *used), patience_s=90)
