"""Under which URL paths the emulator serves which Google API."""

from __future__ import annotations

from dataclasses import dataclass

from rehearsal.emulator import discovery

_WITHOUT_VERSION = ("compute", "storage")


@dataclass(frozen=True, kw_only=True)
class Mount:
    """One version of one API at a path prefix."""

    prefix: str
    """Path up to the API's own part, e.g. ``/container/v1beta1/``."""
    api: str
    version: str

    def load(self) -> discovery.Api:
        """Return the API's discovery document."""
        return discovery.load(self.api, self.version)

    def flat_path(self, path: str) -> str:
        """Return ``path`` as the document has it; older APIs leave the version out."""
        rest = path.removeprefix(self.prefix)
        return rest if self.api in _WITHOUT_VERSION else f"{self.version}/{rest}"


MOUNTS = (
    Mount(prefix="/container/v1/", api="container", version="v1"),
    Mount(prefix="/container/v1beta1/", api="container", version="v1beta1"),
    Mount(prefix="/artifactregistry/v1/", api="artifactregistry", version="v1"),
    Mount(prefix="/cloudkms/v1/", api="cloudkms", version="v1"),
    Mount(prefix="/compute/v1/", api="compute", version="v1"),
    Mount(prefix="/compute/beta/", api="compute", version="beta"),
    Mount(prefix="/iam/v1/", api="iam", version="v1"),
    Mount(prefix="/crm/v1/", api="cloudresourcemanager", version="v1"),
    Mount(prefix="/serviceusage/v1/", api="serviceusage", version="v1"),
    Mount(prefix="/storage/v1/", api="storage", version="v1"),
    # Google's own clients take a host, not a path: for them the host is GKE's.
    Mount(prefix="/v1/", api="container", version="v1"),
    Mount(prefix="/v1beta1/", api="container", version="v1beta1"),
)


def mount_of(path: str) -> Mount | None:
    """Return the mount that serves ``path``, or None."""
    return next((mount for mount in MOUNTS if path.startswith(mount.prefix)), None)
