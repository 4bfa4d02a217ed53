"""Programs by which `kubectl exec` reaches the Python environment of a pod.

kwok starts what `kubectl exec` names with the pod's variables, but looks it up by its own PATH. So
these come first there, and look again by the pod's.
"""

from pathlib import Path

from daskfleet.files import make_private_directory, write_private_file

NAMES = ("dask", "pip", "python", "python3")
"""What a pod's own environment has; everything else is this machine's for all of them."""

_LOOK_AGAIN = """\
#!/bin/sh
exec /usr/bin/env "${0##*/}" "$@"
"""


def write_exec_programs(directory: Path) -> None:
    """Write the programs."""
    make_private_directory(directory)
    for name in NAMES:
        program = directory / name
        write_private_file(program, _LOOK_AGAIN)
        program.chmod(0o700)
