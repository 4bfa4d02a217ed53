"""Commands as they are typed in a rehearsal's shell."""

import subprocess
from collections.abc import Mapping

from rehearsal.workspace import pulumi_environment
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal

Done = subprocess.CompletedProcess[str]


def shell_of(fleet: RunningRehearsal) -> dict[str, str]:
    """The environment of the rehearsal's shell."""
    shell = pulumi_environment(
        fleet.workspace, base_url=fleet.base_url, binaries=fleet.stage.binaries
    )
    return {**shell, "KUBECONFIG": str(fleet.cluster.kubeconfig)}


def typed(
    fleet: RunningRehearsal, *command: str, environment: Mapping[str, str] | None = None
) -> Done:
    """Run a command to its end."""
    return subprocess.run(
        command,
        cwd=PROJECT_DIR,
        env={**shell_of(fleet), **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
