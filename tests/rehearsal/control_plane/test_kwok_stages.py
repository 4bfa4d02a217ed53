"""Unit: kwok is told to leave Dask's pods alone exactly where something runs in them."""

import yaml

from rehearsal.control_plane.kwok_stages import NOT_OF_DASK, STAGES, kwok_stages


def test_where_pods_are_placed_kwok_gets_the_stages_as_they_are_written() -> None:
    assert list(kwok_stages("place")) == list(yaml.safe_load_all(STAGES.read_text("utf-8")))


def test_where_pods_run_no_stage_touches_one_of_dask() -> None:
    stages = {stage["metadata"]["name"]: stage["spec"] for stage in kwok_stages("run")}
    of_pods = {"pod-ready", "pod-gone"}
    assert of_pods < stages.keys()
    for name, spec in stages.items():
        leaves_dask_alone = NOT_OF_DASK in spec["selector"]["matchExpressions"]
        assert leaves_dask_alone == (name in of_pods)
