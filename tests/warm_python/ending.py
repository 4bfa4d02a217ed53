"""How a fork ends: as an interpreter does, but for taking its modules apart."""

import atexit
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from typing import NoReturn


def end_as_python_does(run: Callable[[], None]) -> NoReturn:
    """Run it, wait for threads, do what is registered for the end, and exit with its status.

    Taking apart some thousand modules of a fork would copy the memory that it shares, for nothing;
    `multiprocessing` ends its forks like this too.
    """
    status = _status_of(run)
    threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001 - no public way
    atexit._run_exitfuncs()  # noqa: SLF001
    sys.stdout.flush()
    sys.stderr.flush()
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


def _status_of(run: Callable[[], None]) -> int:
    try:
        run()
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            return (ended.code or 0) & 0xFF
        sys.stderr.write(f"{ended.code}\n")
        return 1
    except KeyboardInterrupt:
        traceback.print_exc()
        return -signal.SIGINT
    except BaseException:  # noqa: BLE001 - as an interpreter: whatever it is, it is shown
        traceback.print_exc()
        return 1
    return 0
