"""``client.py ADDRESS EXECUTABLE REAL_PYTHON ARGUMENT ...``: one call of a Python that may be warm.

What the engine starts over and over is handed to the warm process; every other call is carried out
by the real Python. Runs as a script without site-packages, so that it starts in milliseconds. To
its parent it is what a Python would be: the fork has its standard streams, it passes signals on and
ends as the fork ends, and the fork does not outlive it.
"""

import contextlib
import json
import os
import select
import signal
import socket
import sys

SCRIPTS = ("pulumi-language-python-exec",)
MODULES = ("rehearsal.providers.", "pip", "daskfleet")
OPTIONS = ("-P", "-u", "-m")
PASSED_ON = (signal.SIGINT, signal.SIGTERM)


def main(address: str, executable: str, python: str, *arguments: str) -> None:
    """Have the call carried out, and end as it ends."""
    if not _is_for_the_warm_one(arguments):
        os.execv(python, [python, *arguments])  # noqa: S606 - no shell is wanted
    server = socket.socket(socket.AF_UNIX)
    server.connect(address)
    call = {
        "arguments": arguments,
        "executable": executable,
        "environment": dict(os.environ),
        "directory": os.getcwd(),  # noqa: PTH109 - pathlib takes as long to import as the rest
        "caller": os.getpid(),
    }
    text = json.dumps(call).encode()
    socket.send_fds(server, [len(text).to_bytes(8, "big")], [0, 1, 2])
    server.sendall(text)
    signal.pthread_sigmask(signal.SIG_BLOCK, PASSED_ON)  # until it is known to whom they go
    fork = _number(server)
    _pass_signals_on(fork, until_ready=server)
    status = _number(server)
    if status < 0:  # ended by a signal
        if -status in PASSED_ON:
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


def _pass_signals_on(fork: int, *, until_ready: socket.socket) -> None:
    """Wait for the server's next word.

    A signal that comes just before a blocking call does not interrupt it, and Python's handler
    would run when the call returns; so what is waited for is also the signal's own byte.
    """
    woken, wakes = socket.socketpair()
    wakes.setblocking(False)
    signal.set_wakeup_fd(wakes.fileno())
    for name in PASSED_ON:
        signal.signal(name, lambda number, _: _send(fork, number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, PASSED_ON)
    while until_ready not in select.select([until_ready, woken], [], [])[0]:
        woken.recv(64)


def _send(fork: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):  # it has ended, and how is about to be known
        os.kill(fork, number)


def _is_for_the_warm_one(arguments: tuple[str, ...]) -> bool:
    words = [word for word in arguments if word not in OPTIONS]
    if not words or words[0].startswith("-"):
        return False
    names, called = (MODULES, words[0]) if "-m" in arguments else (SCRIPTS, words[0].split("/")[-1])
    return called.startswith(names)


def _number(server: socket.socket) -> int:
    return int.from_bytes(server.recv(8, socket.MSG_WAITALL), "big", signed=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
