"""Who holds the lock of a stack, from the words in which Pulumi refuses to work on it."""

import re
import socket
from dataclasses import dataclass

import psutil

_REFUSAL = "the stack is currently locked"
_HOLDER = re.compile(
    r"created by (?P<user>\S+)@(?P<host>\S+) \(pid (?P<pid>\d+)\) at (?P<since>\S+)"
)
"""pulumi/pulumi pkg/backend/diy/lock.go, the same for every kind of bucket."""


@dataclass(frozen=True, kw_only=True)
class Holder:
    """One process that took the lock."""

    user: str
    host: str
    pid: int
    since: str

    @property
    def is_gone(self) -> bool:
        """Whether it has certainly ended: it ran on this machine, and its process is gone."""
        if self.host != socket.gethostname():
            return False
        try:
            process = psutil.Process(self.pid)
            return process.status() == psutil.STATUS_ZOMBIE or "pulumi" not in process.name()
        except psutil.NoSuchProcess:
            return True

    def __str__(self) -> str:
        return f"{self.user}@{self.host} (process {self.pid}) since {self.since}"


def is_lock_refusal(said: str) -> bool:
    """Tell whether a command failed because the stack is locked."""
    return _REFUSAL in said


def holders(said: str) -> tuple[Holder, ...]:
    """Return whom the refusal names."""
    return tuple(
        Holder(user=m["user"], host=m["host"], pid=int(m["pid"]), since=m["since"])
        for m in _HOLDER.finditer(said)
    )
