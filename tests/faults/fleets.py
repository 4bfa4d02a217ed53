"""The settings between which the cases move, by name."""

import copy
from typing import Any, Literal

Name = Literal["empty", "fleet", "grown", "protected"]

FLEET: dict[str, Any] = {
    "project": "faults-project",
    "long_lived": False,
    "worker_pools": [{"name": "a100", "node_count": 2}],
    "teams": [{"name": "alpha", "worker_pool": "a100"}],
}


def document(name: Name) -> dict[str, Any] | None:
    """Return the settings; None for a stack that is destroyed."""
    if name == "empty":
        return None
    settings = copy.deepcopy(FLEET)
    if name in {"grown", "protected"}:
        settings["worker_pools"][0]["node_count"] = 3
        settings["worker_pools"].append({"name": "more", "node_count": 1})
    settings["long_lived"] = name == "protected"
    return settings
