"""What kwok does in place of kubelets, for all pods or for those that are no processes here."""

from pathlib import Path
from typing import Any

import yaml

from rehearsal.control_plane.dask_mode import DaskMode
from rehearsal.control_plane.pods_that_run import LEFT_TO_KWOK

STAGES = Path(__file__).with_name("kwok-stages.yaml")

Stage = dict[str, Any]


def kwok_stages(dask: DaskMode) -> tuple[Stage, ...]:
    """Return the stages; in mode ``run`` none of them touches a pod that runs."""
    stages = tuple(yaml.safe_load_all(STAGES.read_text(encoding="utf-8")))
    if dask == "run":
        for stage in stages:
            if stage["spec"]["resourceRef"]["kind"] == "Pod":
                stage["spec"]["selector"]["matchExpressions"].extend(LEFT_TO_KWOK)
    return stages
