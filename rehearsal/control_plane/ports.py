"""Free ports on the loopback address."""

import json
import socket
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from daskfleet.files import write_private_file
from rehearsal.control_plane.errors import PortTakenError

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, kw_only=True)
class Ports:
    """The ports that a control plane listens on."""

    api_server: int
    etcd_client: int
    etcd_peer: int
    kubelets: int
    """Where kwok is every node's kubelet."""
    dask_schedulers: int
    """Where whoever plays the Dask schedulers is asked to listen."""

    @classmethod
    def choose(cls, remembered: Path, *, only_known: bool = False) -> Self:
        """Take the ports of the last start where they are free, so that endpoints stay valid.

        A port can be lost again before its process binds it; the caller then chooses anew.

        Args:
            remembered: the file that has the ports of the last start, if there was one.
            only_known: take no other ones.

        Raises:
            PortTakenError: ``only_known``, and another program listens on one of them.

        """
        names = tuple(cls.__dataclass_fields__)
        before = json.loads(remembered.read_text("utf-8")) if remembered.exists() else {}
        with ExitStack() as stack:
            # All are held until all are chosen: none is given out twice.
            sockets = {
                name: stack.enter_context(
                    listen(before[name]) if only_known else _listen(before.get(name, 0))
                )
                for name in names
            }
            ports = cls(**{name: held.getsockname()[1] for name, held in sockets.items()})
        write_private_file(remembered, json.dumps(asdict(ports)))
        return ports


def listen(port: int) -> socket.socket:
    """Listen on a port of the loopback address; 0 is any that is free.

    Raises:
        PortTakenError: another program does.

    """
    held = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    # As the servers do: a connection of the last start in TIME_WAIT is no obstacle.
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        held.bind((LOOPBACK, port))
        held.listen()
    except OSError as error:
        held.close()
        raise PortTakenError(f"Port {port} of {LOOPBACK} is taken by another program.") from error
    return held


def _listen(preferred: int) -> socket.socket:
    try:
        return listen(preferred)
    except PortTakenError:
        return listen(0)
