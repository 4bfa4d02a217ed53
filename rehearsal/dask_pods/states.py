"""What a container can be doing, in the words of a pod's status."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """It does not run yet, or not again yet."""

    reason: str
    message: str = ""


@dataclass(frozen=True, kw_only=True)
class Running:
    """Its process runs."""

    started_at: datetime


@dataclass(frozen=True, kw_only=True)
class Terminated:
    """Its process has ended."""

    exit_code: int
    reason: str
    started_at: datetime
    finished_at: datetime
    container_id: str
    message: str = ""


@dataclass(frozen=True, kw_only=True)
class ContainerSeen:
    """One container at one moment."""

    name: str
    image: str
    image_id: str
    """The environment that stands in for the image."""
    container_id: str
    state: Waiting | Running | Terminated
    last_state: Terminated | None
    restart_count: int
    is_started: bool
    is_ready: bool
