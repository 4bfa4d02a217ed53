"""Cluster DNS for a process outside of the cluster, loaded by Python as it starts.

With this directory on PYTHONPATH, names that stand in the file ``DASKFLEET_REHEARSAL_HOSTS`` lead
where the file says, in this process and in those that it starts; all others are looked up as ever.
It runs in the Python of any pod, so it needs nothing but the standard library.
"""

import os
import socket
from typing import Any

HOSTS_VARIABLE = "DASKFLEET_REHEARSAL_HOSTS"

_getaddrinfo = socket.getaddrinfo


def address_of(name: str, hosts_file: str) -> str | None:
    """Return the address that the file has for a name; None when it has none, or is gone."""
    wanted = name.rstrip(".").lower()
    try:
        # Read each time: pods come and go, and the file is replaced as a whole.
        with open(hosts_file, encoding="utf-8") as lines:  # noqa: PTH123 - at every interpreter's start, pathlib costs more than all of this
            for line in lines:
                address, *names = line.split()
                if wanted in names:
                    return address
    except OSError:
        return None
    return None


def look_up(host: Any, port: Any, *arguments: Any, **options: Any) -> Any:
    """Answer like socket.getaddrinfo, names of the cluster from the file."""
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if isinstance(name, str) and (found := address_of(name, os.environ[HOSTS_VARIABLE])):
        return _getaddrinfo(found, port, *arguments, **options)
    return _getaddrinfo(host, port, *arguments, **options)


if HOSTS_VARIABLE in os.environ:
    socket.getaddrinfo = look_up
