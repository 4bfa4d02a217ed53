"""``python -m rehearsal.supervisor DIRECTORY --latency fast``: serve until SIGTERM.

In a directory that another one has left at rest it goes on with that, and the options are not read.
"""

import argparse
import asyncio
import logging
import sys
from pathlib import Path
from typing import get_args

from rehearsal.control_plane import ControlPlaneError, DaskMode
from rehearsal.errors import RehearsalError
from rehearsal.supervisor.lock import only_supervisor
from rehearsal.supervisor.serve import serve
from rehearsal.workspace import Workspace


def main() -> None:
    """Parse the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m rehearsal.supervisor", description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--latency", default="fast", help="fast, or scaled:N")
    parser.add_argument("--dask", default="place", choices=get_args(DaskMode))
    arguments = parser.parse_args()
    logging.basicConfig(
        level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    # What asks Kubernetes and the emulator logs every request at INFO.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    workspace = Workspace(project_dir=Path.cwd(), directory=arguments.directory)
    try:
        with only_supervisor(workspace.directory):
            asyncio.run(serve(workspace, latency=arguments.latency, dask=arguments.dask))
    except (RehearsalError, ControlPlaneError) as error:
        sys.exit(f"error: {error}")


main()
