"""Keys in Cloud KMS that are the organisation's own."""

from typing import Literal

from daskfleet.settings.base import Settings
from daskfleet.settings.google_names import KmsKey


class Keys(Settings):
    """Keys that encrypt what Google keeps for the cluster, in place of Google's."""

    nodes: KmsKey | None = None
    """The key for the boot disks of all nodes. Compute Engine's agent must be allowed to use it.
    Another one replaces every pool. Left out: Google's key."""

    secrets: KmsKey | Literal["google"] | None = None
    """The key with which GKE encrypts Kubernetes' Secrets before they are stored. GKE's agent must
    be allowed to use it. ``google`` ends that. Left out: nothing is said, so that what the cluster
    has stays."""
