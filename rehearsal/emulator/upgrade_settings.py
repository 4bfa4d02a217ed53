"""How a pool's machines are replaced: settings of surge and blue-green upgrades. Pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rehearsal.emulator.errors import InvalidArgumentError, UnimplementedError

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document

_EMULATED = ("SURGE", "BLUE_GREEN")
_STANDARD_ROLLOUT = {"batchNodeCount": 1, "batchSoakDuration": "0s"}
_POOL_SOAK = "3600s"
"""Both: cloud.google.com/kubernetes-engine/docs/concepts/node-pool-upgrade-strategies."""


def settle_upgrade(settings: Document) -> Document:
    """Return upgrade settings with GKE's defaults.

    Raises InvalidArgumentError for settings that let nothing move, UnimplementedError for a
    strategy that is not emulated.
    """
    strategy = settings.get("strategy", "SURGE")
    if strategy not in _EMULATED:
        raise UnimplementedError(
            f"The emulator does not roll nodes with upgradeSettings.strategy {strategy}; it does "
            f"with {' and '.join(_EMULATED)}."
        )
    if strategy == "BLUE_GREEN":
        return {**settings, "blueGreenSettings": _settle_blue_green(settings)}
    if "maxSurge" not in settings and "maxUnavailable" not in settings:
        return {"strategy": "SURGE", **settings, "maxSurge": 1}
    if not settings.get("maxSurge") and not settings.get("maxUnavailable"):
        raise InvalidArgumentError(
            "upgradeSettings: maxSurge and maxUnavailable are both 0; one must be more than 0."
        )
    return {"strategy": "SURGE", **settings}


def _settle_blue_green(settings: Document) -> Document:
    wished = settings.get("blueGreenSettings", {})
    if "autoscaledRolloutPolicy" in wished:
        raise UnimplementedError(
            "The emulator does not roll nodes with blueGreenSettings.autoscaledRolloutPolicy."
        )
    rollout = wished.get("standardRolloutPolicy", {})
    share = rollout.get("batchPercentage", 1.0)
    if not 0 < share <= 1 or rollout.get("batchNodeCount", 1) < 1:
        raise InvalidArgumentError(
            "standardRolloutPolicy: batchPercentage must be more than 0 and at most 1, "
            f"batchNodeCount 1 or more; the settings are {rollout}."
        )
    size = {} if "batchPercentage" in rollout else _STANDARD_ROLLOUT
    return {
        "nodePoolSoakDuration": _POOL_SOAK,
        **wished,
        "standardRolloutPolicy": {**size, **rollout},
    }


def blue_batch(settings: Document, *, machines: int) -> int:
    """Return how many blue machines of a pool are drained at a time."""
    rollout = settings["blueGreenSettings"]["standardRolloutPolicy"]
    if "batchPercentage" in rollout:
        return max(1, math.ceil(float(rollout["batchPercentage"]) * machines))
    return int(rollout["batchNodeCount"])
