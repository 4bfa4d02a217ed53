"""``python -m tests.warm_python.server ADDRESS``: import once, then fork for each who calls."""

import contextlib
import os
import select
import signal
import socket
import sys
import threading
from pathlib import Path

from tests.warm_python.call import Call
from tests.warm_python.ending import end_as_python_does
from tests.warm_python.imported import import_ahead


def main(address: Path) -> None:
    """Serve until standard input ends. A fork leaves this function to be what was called for."""
    installed = sys.path[1:]  # but for the working directory, which is the caller's own affair
    import_ahead()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who mind the forks
    listener = socket.socket(socket.AF_UNIX)
    draft = address.with_suffix(".new")
    listener.bind(str(draft))
    listener.listen(64)
    draft.rename(address)
    while True:
        if sys.stdin.fileno() in select.select([listener, sys.stdin.fileno()], [], [])[0]:
            sys.exit()  # nobody is there any more who would end this process
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            break
        connection.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    call = Call.receive(connection)
    fork = os.fork()
    if fork:
        _mind(fork, call, connection)
    connection.close()
    end_as_python_does(lambda: call.run(installed=installed, kept=address.parent))


def _mind(fork: int, call: Call, connection: socket.socket) -> None:
    """Tell the caller how the fork ends; end the fork when the caller is no more."""
    for stream in call.streams:
        os.close(stream)
    connection.sendall(_word(fork))

    def end_with_the_caller() -> None:
        connection.recv(1)
        with contextlib.suppress(ProcessLookupError):
            os.kill(fork, signal.SIGKILL)

    threading.Thread(target=end_with_the_caller, daemon=True).start()
    _, status = os.waitpid(fork, 0)
    with contextlib.suppress(OSError):
        connection.sendall(_word(os.waitstatus_to_exitcode(status)))
    os._exit(0)


def _word(number: int) -> bytes:
    return number.to_bytes(8, "big", signed=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
