"""Why the fleet could not be reached."""


class AccessError(Exception):
    """State or cluster cannot be read; the message says what to do."""


class LoginError(AccessError):
    """The cluster does not know who asks: the login has expired, or its plugin fails."""


class NotAMemberError(AccessError):
    """Whoever asks may not read what the team is told, or there is no such team."""


class NoNoticeError(AccessError):
    """The team's namespace does not say what a member must know."""


def words_of(error: BaseException) -> str:
    """Return what an error says, and its type where it says nothing, as some of httpx do."""
    return str(error) or type(error).__name__
