"""What the node agent knows of one pod, and where the pod's process lives on this machine."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Document = Mapping[str, Any]
"""A Kubernetes object as the API server tells it."""

RUNS_IN = "rehearsal.daskfleet/python"
"""Annotation of a pod: the Python interpreter that its containers run in, instead of the project's
own. Its directory comes first on their PATH."""


@dataclass(frozen=True, kw_only=True)
class PodAddress:
    """A pod's two addresses."""

    pod_ip: str
    """In the pod's status. Kubernetes takes no loopback address there, so it is one of
    198.18.0.0/15, which RFC 2544 sets aside for tests."""

    loopback: str
    """Where the process listens: an address of 127.0.0.0/8 that no other pod has, so that every
    pod can listen on 8786 and 8787."""


@dataclass(frozen=True, kw_only=True)
class Mounted:
    """What the pod's variables and volumes refer to, as far as it is there."""

    config_maps: Mapping[str, Mapping[str, bytes]]
    """What they hold, by object and key; so do ``secrets``."""
    secrets: Mapping[str, Mapping[str, bytes]]
    disks: Mapping[str, Path] = field(default_factory=dict)
    """Directory of each bound PersistentVolumeClaim, by its name; it outlives the pod."""
    tokens: Mapping[str, bytes] = field(default_factory=dict)
    """Tokens of the pod's service account by audience; "" is the API server's own."""
    pull_secrets: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)
    """What the pod's image is pulled with, by Secret and key."""
    private_registries: Mapping[str, bytes] = field(default_factory=dict)
    """Registries that let in who knows user and password, by host (``image_pull``)."""


@dataclass(frozen=True, kw_only=True)
class PodPlace:
    """Where one pod runs."""

    address: PodAddress
    directory: Path
    """The pod's own: its volumes and logs. Its owner's alone."""
    hosts_file: Path
    """``address name...`` per line: the names that cluster DNS would answer, kept by the agent."""
    python: Path
    """Interpreter of the environment that stands in for the image."""
    host_ip: str
    api_server: tuple[str, str]
    """Host and port."""
