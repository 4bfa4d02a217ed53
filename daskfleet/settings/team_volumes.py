"""Volumes that a team's pods mount, by their claims."""

from daskfleet.settings.base import Settings
from daskfleet.settings.names import ClaimName, MountPath


class TeamVolume(Settings):
    """A PersistentVolumeClaim in the team's namespace that somebody else makes."""

    claim: ClaimName
    """The claim's name. It has to be one that pods on several nodes may mount: ``ReadWriteMany`` or
    ``ReadOnlyMany``."""

    mount_path: MountPath
    """Where it is in each of the team's pods, such as ``/data/reference``."""

    read_only: bool = True
    """Whether pods may only read. ``false`` lets every task and notebook write."""
