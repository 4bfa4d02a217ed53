"""What the program says when the engine interrupts it: nothing, for the engine has said why.

A step that fails makes the engine send SIGINT to a program that still waits, in a gate for example.
Python would print where it waited.
"""

import sys
from types import TracebackType


def be_quiet_when_interrupted() -> None:
    """Print no traceback of a KeyboardInterrupt; the exit status stays that of SIGINT."""
    shown = sys.excepthook

    def show(kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
        if not issubclass(kind, KeyboardInterrupt):
            shown(kind, error, where)

    sys.excepthook = show
