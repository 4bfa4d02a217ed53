"""What ``connect`` and ``Cluster`` raise and warn of; a message has the next step."""

from daskfleet.access.errors import AccessError, LoginError, NoNoticeError, NotAMemberError
from daskfleet.versions import Difference

__all__ = [
    "AccessError",
    "AsleepWarning",
    "LoginError",
    "NoDistributedError",
    "NoNoticeError",
    "NoOwnClusterError",
    "NoTeamError",
    "NotAMemberError",
    "SchedulerAwayError",
    "VersionsDifferError",
    "VersionsDifferWarning",
]


class NoTeamError(AccessError):
    """No team was named, outside of any team's namespace."""


class NoDistributedError(AccessError):
    """This Python cannot be a client: it has no ``distributed``."""


class NoOwnClusterError(AccessError):
    """The team may have no such cluster of a member's own."""


class SchedulerAwayError(AccessError):
    """No scheduler answered in time; the message says what was waited for."""


class VersionsDifferError(AccessError):
    """This Python is not what the scheduler has: it could not unpack this one's task graphs."""

    def __init__(self, message: str, differences: tuple[Difference, ...]) -> None:
        super().__init__(message)
        self.differences = differences
        """All of them, those that would do no harm included."""


class VersionsDifferWarning(UserWarning):
    """Packages differ from the scheduler's in a way that mostly does no harm."""


class AsleepWarning(UserWarning):
    """The team's workers sleep: the first task waits for them."""
