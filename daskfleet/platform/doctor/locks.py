"""Who holds the lock of a stack, read where the backend keeps locks. Takes and breaks none.

Backends of files keep one file for each holder (pulumi/pulumi pkg/backend/diy/lock.go). The CLI has
no command that shows them, and one that writes would be needed to run into them.
"""

from collections.abc import Awaitable
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from daskfleet.access.state_lock import Holder
from daskfleet.platform.doctor.answers import Answer, StorageObjects
from daskfleet.platform.doctor.errors import NotLookedAtError
from daskfleet.platform.doctor.google_api import GoogleApi

FOLDER = ".pulumi/locks/organization"


class Lock(Answer):
    """The content of a lock's file."""

    pid: int
    username: str
    hostname: str
    timestamp: str

    @property
    def holder(self) -> Holder:
        """Who holds it."""
        return Holder(user=self.username, host=self.hostname, pid=self.pid, since=self.timestamp)


def in_directory(url: str, *, project: str, stack: str) -> tuple[Holder, ...]:
    """Return the holders in a backend ``file://``."""
    parts = urlsplit(url)
    directory = Path(unquote(parts.netloc + parts.path)).expanduser() / FOLDER / project / stack
    return tuple(
        Lock.model_validate_json(file.read_bytes()).holder for file in directory.glob("*.json")
    )


async def in_bucket(url: str, *, project: str, stack: str, google: GoogleApi) -> tuple[Holder, ...]:
    """Return the holders in a backend ``gs://``.

    Raises:
        NotLookedAtError: the bucket cannot be read.

    """
    parts = urlsplit(url)
    base = parts.path.strip("/")
    prefix = "/".join(filter(None, (base, FOLDER, project, stack))) + "/"
    objects = f"b/{parts.netloc}/o"
    listed = await google.get("storage", objects, StorageObjects, {"prefix": prefix})
    found = []
    for each in listed.items:
        path = f"{objects}/{quote(each.name, safe='')}"
        found.append(await google.get("storage", path, Lock, {"alt": "media"}))
    return tuple(lock.holder for lock in found)


async def holders(
    url: str, *, project: str, stack: str, google: Awaitable[GoogleApi]
) -> tuple[Holder, ...]:
    """Return who holds the lock.

    Raises:
        NotLookedAtError: this kind of backend is not read here, or cannot be.

    """
    scheme = urlsplit(url).scheme
    if scheme == "file":
        return in_directory(url, project=project, stack=stack)
    if scheme != "gs":
        raise NotLookedAtError(
            f"locks in {scheme}:// are not read here; `pulumi up` names a holder"
        )
    return await in_bucket(url, project=project, stack=stack, google=await google)
