"""Unit: kwok is told to leave pods alone exactly where something runs in them."""

import yaml

from rehearsal.control_plane.kwok_stages import STAGES, kwok_stages
from rehearsal.control_plane.pods_that_run import LEFT_TO_KWOK


def test_where_pods_are_placed_kwok_gets_the_stages_as_they_are_written() -> None:
    assert list(kwok_stages("place")) == list(yaml.safe_load_all(STAGES.read_text("utf-8")))


def test_where_pods_run_no_stage_touches_one_that_runs() -> None:
    stages = {stage["metadata"]["name"]: stage["spec"] for stage in kwok_stages("run")}
    of_pods = {"pod-ready", "pod-ready-again", "pod-gone"}
    assert of_pods < stages.keys()
    for name, spec in stages.items():
        for expression in LEFT_TO_KWOK:
            leaves_alone = expression in spec["selector"]["matchExpressions"]
            assert leaves_alone == (name in of_pods)
