"""Running a command of the Pulumi CLI that only reads."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from daskfleet.access.errors import AccessError
from daskfleet.files import OWNER_ONLY_UMASK

QUIET = ("--non-interactive", "--color=never")
NO_PULUMI = (
    "There is no `pulumi` on PATH. Install the Pulumi CLI, or enter a rehearsal with "
    '`eval "$(daskfleet rehearse shell)"`.'
)


def completed(arguments: Sequence[str], *, project_dir: Path) -> subprocess.CompletedProcess[str]:
    """Run the command to its end, whatever that is.

    Raises:
        AccessError: there is no pulumi.

    """
    command = ["pulumi", *arguments, *QUIET]
    try:
        return subprocess.run(
            command,
            cwd=project_dir,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            # It logs what it does, in PULUMI_HOME.
            umask=OWNER_ONLY_UMASK,
        )
    except FileNotFoundError as error:
        raise AccessError(NO_PULUMI) from error
