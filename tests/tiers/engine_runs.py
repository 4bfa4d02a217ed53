"""Counts how often this process starts the engine."""

import sys
from collections.abc import Sequence
from pathlib import PurePath

COMMANDS = {"up", "preview", "destroy", "refresh"}


class EngineRuns:
    """A count since it was last taken."""

    def __init__(self) -> None:
        self._count = 0

    def watch(self) -> None:
        """Begin to count, for good; it costs a little of every call that Python audits."""
        sys.addaudithook(self._heard)

    def take(self) -> int:
        """Give the count, and begin at 0 again."""
        count, self._count = self._count, 0
        return count

    def _heard(self, event: str, about: tuple[object, ...]) -> None:
        if event == "subprocess.Popen":
            command = about[1]
            if isinstance(command, list | tuple):
                self._count += is_engine_run([str(word) for word in command])


def is_engine_run(command: Sequence[str]) -> bool:
    """Tell whether a command is one of Pulumi's that runs the program or asks the providers."""
    if not command or PurePath(command[0]).name != "pulumi":
        return False
    verb = next((word for word in command[1:] if not word.startswith("-")), "")
    return verb in COMMANDS
