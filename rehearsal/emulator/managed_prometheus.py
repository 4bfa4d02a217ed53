"""What GKE brings into a cluster with Managed Service for Prometheus: its custom resources.

No collector and no rule evaluator: nothing is collected here, and no rule is evaluated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from rehearsal.emulator.machines import DATA

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document


def is_managed(cluster: Document) -> bool:
    """Whether a cluster has managed collection, which GKE gives to every new one."""
    config = cluster.get("monitoringConfig", {}).get("managedPrometheusConfig", {})
    return bool(config.get("enabled"))


def definitions() -> list[Document]:
    """Return the definitions of the custom resources."""
    text = (DATA / "managed_prometheus.yaml").read_text(encoding="utf-8")
    found: list[Document] = yaml.safe_load(text)["definitions"]
    return found
