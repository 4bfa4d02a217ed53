"""Commands as they are typed in a rehearsal's shell."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

from rehearsal.supervisor.launch import live_supervisor
from rehearsal.workspace import pulumi_environment
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal

Done = subprocess.CompletedProcess[str]


def shell_of(fleet: RunningRehearsal) -> dict[str, str]:
    """The environment of the rehearsal's shell; it leads to no cluster before there is one."""
    shell = pulumi_environment(
        fleet.workspace, base_url=fleet.base_url, binaries=fleet.stage.binaries
    )
    record = live_supervisor(fleet.workspace)
    assert record is not None
    if not record.clusters:
        return shell
    (cluster,) = record.clusters
    return {**shell, "KUBECONFIG": str(cluster.kubeconfig)}


def typed(
    fleet: RunningRehearsal,
    *command: str,
    environment: Mapping[str, str] | None = None,
    directory: Path = PROJECT_DIR,
) -> Done:
    """Run a command to its end."""
    return subprocess.run(
        command,
        cwd=directory,
        env={**shell_of(fleet), **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
