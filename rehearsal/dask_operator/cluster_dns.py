"""Cluster DNS for the operator's process, while nothing runs in Dask's pods.

kopf loads this module before the controller. Where ``PORT_VARIABLE`` is set, the names of the
schedulers' Services lead to the stand-in for their HTTP API; without it the operator waits 10 s for
each look-up and then opens a port-forward that it never closes
(dask_kubernetes/operator/networking.py).
"""

import os
import re
import socket
from typing import Any

PORT_VARIABLE = "DASKFLEET_REHEARSAL_SCHEDULER_API_PORT"
SCHEDULER_SERVICE = re.compile(r"^[a-z0-9-]+-scheduler\.[a-z0-9-]+$")
"""``<service>.<namespace>``, as the operator spells it; names of the real world have a domain."""

_getaddrinfo = socket.getaddrinfo


def look_up(host: Any, port: Any, *arguments: Any, **options: Any) -> Any:
    """Answer like socket.getaddrinfo, with the stand-in's address for a scheduler's Service."""
    if isinstance(host, str) and SCHEDULER_SERVICE.match(host):
        return _getaddrinfo("127.0.0.1", int(os.environ[PORT_VARIABLE]), *arguments, **options)
    return _getaddrinfo(host, port, *arguments, **options)


if PORT_VARIABLE in os.environ:
    socket.getaddrinfo = look_up
