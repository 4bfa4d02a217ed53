"""What kwok does in place of kubelets: ``kwok-stages.yaml``, for all pods or not for Dask's."""

from pathlib import Path
from typing import Any

import yaml

from rehearsal.control_plane.dask_mode import DaskMode

STAGES = Path(__file__).with_name("kwok-stages.yaml")

NOT_OF_DASK = {
    "key": '.metadata.labels["dask.org/component"] | select( . == "scheduler" or . == "worker" )',
    "operator": "DoesNotExist",
}
"""Matches pods that the node agent leaves to kwok."""

Stage = dict[str, Any]


def kwok_stages(dask: DaskMode) -> tuple[Stage, ...]:
    """Return the stages; in mode ``run`` none of them touches a Dask pod."""
    stages = tuple(yaml.safe_load_all(STAGES.read_text(encoding="utf-8")))
    if dask == "run":
        for stage in stages:
            if stage["spec"]["resourceRef"]["kind"] == "Pod":
                stage["spec"]["selector"]["matchExpressions"].append(NOT_OF_DASK)
    return stages
