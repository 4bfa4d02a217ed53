"""How long the emulated Google takes, and how long an answer is held for it."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields


@dataclass(frozen=True, kw_only=True)
class Latency:
    """Durations in seconds. Ending real control planes comes on top, and whatever takes longer."""

    cluster_create_s: float = 0.0
    """The whole operation, with the nodes of the pools that the cluster is created with."""
    cluster_update_s: float = 0.0
    cluster_delete_s: float = 0.0
    node_boot_s: float = 0.0
    """From the request for a machine to its Node, per batch of machines."""
    node_delete_s: float = 0.0
    compute_s: float = 0.0
    """Any operation on networks, subnetworks and routers."""
    hold_answer_s: float = 0.0
    """A mutating call is answered when its operation is done, or after this long.

    Google answers at once; its provider then sleeps 10 s between polls unless the first answer
    is already DONE. Holding the answer spares the rehearsal those sleeps.
    """
    drain_timeout_s: float = 30.0
    """How long evictions may be refused by a PodDisruptionBudget before pods are deleted.

    GKE respects budgets for up to one hour.
    """
    autoscaler_interval_s: float = 1.0
    scale_down_after_s: float = 5.0
    """How long a node must be empty before its autoscaler removes it (GKE BALANCED: 10 min)."""
    stockout_back_off_s: float = 5.0
    """How long its autoscaler lets a zone be that had no machine for a pool."""

    @classmethod
    def fast(cls) -> Latency:
        """Nothing waits but for what really runs here."""
        return cls(hold_answer_s=30.0)

    @classmethod
    def scaled(cls, divisor: float) -> Latency:
        """Return the documented durations divided by ``divisor``; answers are not held.

        Raises ValueError when the divisor is not a positive number.
        """
        if not 0 < divisor < math.inf:
            raise ValueError(f"latency divisor is {divisor}; it must be greater than 0, e.g. 60")
        return cls(**{f.name: getattr(_DOCUMENTED, f.name) / divisor for f in fields(cls)})


_DOCUMENTED = Latency(
    cluster_create_s=300,  # zonal with a GPU pool ~5 min: HAMi lab on GKE 1.35.7, 2026-08
    cluster_update_s=60,  # estimate: no published figure found
    cluster_delete_s=180,  # estimate: no published figure found
    node_boot_s=154,  # device plugin ready on all nodes after 2m34s: HAMi lab, 2026-08
    node_delete_s=60,  # estimate: no published figure found
    compute_s=20,  # estimate: provider logs show 10 s to 30 s
    drain_timeout_s=3600,  # GKE: PodDisruptionBudgets are respected for one hour
    autoscaler_interval_s=10,  # cluster-autoscaler --scan-interval default
    scale_down_after_s=600,  # cluster-autoscaler --scale-down-unneeded-time default
    stockout_back_off_s=300,  # cluster-autoscaler --initial-node-group-backoff-duration default
)
