"""Fields of GKE's answers that follow from others. Pure.

Read from Google's answers in ``bench/recordings``: 15 clusters of GKE 1.34 and 1.35 with their
pools.
"""

from __future__ import annotations

import ipaddress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rehearsal.emulator.document import Document

_IPV4_BITS = 32
_KUBELETS_CERTIFICATE = timedelta(days=5 * 365 + 1)
"""How long it is good for (recorded on 2026-08-06, until 2031-08-06)."""


def shown_pool(document: Document, *, created: str) -> Document:
    """Return a pool as it is shown: its nodes' image and certificate; no scaling that is off."""
    expires = datetime.fromisoformat(created) + _KUBELETS_CERTIFICATE
    shown = {
        **document,
        "config": _with_image(document["config"], document["version"]),
        "kubeletCertInfo": {"tpmBootstrapCertExpireTime": f"{expires:%Y-%m-%dT%H:%M:%SZ}"},
    }
    if not shown.get("autoscaling", {}).get("enabled"):
        shown.pop("autoscaling", None)
    return shown


def _with_image(config: Document, version: str) -> Document:
    """Return a config with the image that GKE has for a version (1.35.5-gke.1241004).

    Google's names go on with the build of the system. Images of Ubuntu are not recorded.
    """
    if not config["imageType"].startswith("COS"):
        return config
    release, _, build = version.partition("-gke.")
    name = f"gke-{release.replace('.', '')}-gke{build}-cos"
    return {**config, "nodeImageConfig": {"image": name, "imageProject": "gke-node-images"}}


def pod_range_use(cluster: Document, nodes: Iterable[tuple[int, int]]) -> float:
    """Return how much of a cluster's range of pods its nodes take: 0.003 for three /24 of a /14.

    ``nodes`` has, for each pool, their number and how many bits the range of one fixes.
    """
    pods = ipaddress.IPv4Network(cluster["ipAllocationPolicy"]["clusterIpv4CidrBlock"])
    taken: int = sum(number * 2 ** (_IPV4_BITS - bits) for number, bits in nodes)
    return round(taken / pods.num_addresses, 3)
