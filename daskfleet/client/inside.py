"""The way to a team's scheduler from inside of the cluster, where no tunnel is needed.

Pods of teams have no token and may ask the API server nothing, so nothing is asked: the name of
the Service is the same in every namespace, and cluster DNS looks in the pod's own first.
"""

import os
import socket

from dask import config

from daskfleet.contract.dask import COMM_PORT, INSIDE_A_POD, SERVICE_NAME
from daskfleet.errors import NoTeamError


def inside_address(team: str | None) -> str | None:
    """Return the scheduler's address; None: only a tunnel leads to the team from here.

    Raises:
        NoTeamError: none is named, and this is no pod in a team's namespace.

    """
    if team is None and (configured := config.get("scheduler-address", None)):
        # JupyterLab's pods have it in their environment.
        return str(configured)
    host = SERVICE_NAME if team is None else f"{SERVICE_NAME}.{team}.svc.cluster.local"
    if INSIDE_A_POD in os.environ and _is_known(host):
        # A pod of a team with TLS is told where its certificate is: docs/tls.md.
        scheme = "tls" if config.get("distributed.comm.tls.ca-file", None) else "tcp"
        return f"{scheme}://{host}:{COMM_PORT}"
    if team is None:
        raise NoTeamError(
            "Which cluster? Name your team: daskfleet.connect('fraud'). Only in a pod of the "
            "team's own namespace may it be left out."
        )
    return None


def _is_known(host: str) -> bool:
    try:
        return bool(socket.getaddrinfo(host, COMM_PORT, type=socket.SOCK_STREAM))
    except OSError:
        return False
