"""A port of this machine's loopback."""

import errno
import socket

from daskfleet.team.connect.errors import ConnectError

LOOPBACK = "127.0.0.1"


def listening(wanted: int | None, *, usual: int, option: str) -> socket.socket:
    """Return a socket that listens: at the port that is wanted, else the usual one or a free one.

    Raises:
        ConnectError: the wanted port cannot be had, or none at all.

    """
    try:
        return _listen(usual if wanted is None else wanted)
    except OSError as error:
        if wanted is not None:
            why = "is taken" if error.errno == errno.EADDRINUSE else f"is refused: {error.strerror}"
            raise ConnectError(
                f"Port {wanted} of {LOOPBACK} {why}. Name another with `{option}`, or leave it out "
                "to get a free one."
            ) from error
    try:
        return _listen(0)
    except OSError as error:
        raise ConnectError(
            f"This machine has no free port at {LOOPBACK} ({error.strerror}), which the tunnel "
            f"needs. "
            "Check that its loopback interface has IPv4."
        ) from error


def port_of(listener: socket.socket) -> int:
    """Return the port at which a socket listens."""
    port: int = listener.getsockname()[1]
    return port


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # After an earlier connect has ended, its connections hold the port for a minute.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
        listener.listen()
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener
