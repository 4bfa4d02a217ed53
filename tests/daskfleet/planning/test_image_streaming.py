"""Unit: what GKE streams, what it does not, and what a stack that wants it gets."""

from typing import Any

import pytest

from daskfleet.planning.image_streaming import can_be_streamed
from tests.daskfleet.planning.documents import minimal, planned, refused
from tests.recorded_program import record

OURS = "us-central1-docker.pkg.dev/example/rapids/base:26.10-cuda12-py3.13"
POOL = "gcp:container/nodePool:NodePool"
GRANT = "gcp:projects/iAMMember:IAMMember"
ROLE = "roles/serviceusage.serviceUsageConsumer"


def streaming(**changes: Any) -> dict[str, Any]:
    return minimal(**{"worker_pools": [{"image_streaming": True}], "image": OURS, **changes})


@pytest.mark.parametrize(
    ("image", "is_streamed"),
    [
        (OURS, True),
        ("rapidsai/base:26.10-cuda12-py3.13", True),
        ("docker.io/rapidsai/base:26.10-cuda12-py3.13", True),
        ("nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13", False),
        ("localhost:5000/base:26.10-cuda12-py3.13", False),
        ("docker.pkg.dev.example.com/base:26.10-cuda12-py3.13", False),
    ],
)
def test_images_of_artifact_registry_and_docker_hub_are_streamed(
    image: str, *, is_streamed: bool
) -> None:
    assert can_be_streamed(image) is is_streamed


def test_a_pool_of_which_no_image_is_streamed_is_refused_with_a_way_out() -> None:
    (problem,) = refused(minimal(worker_pools=[{"image_streaming": True}])).problems

    assert problem.key == "worker_pools[0].image_streaming"
    assert "nvcr.io" in problem.reason
    assert "LOCATION-docker.pkg.dev" in problem.allowed
    assert "copy the image to Artifact Registry" in problem.next_step


def test_an_image_among_others_that_is_not_streamed_is_told() -> None:
    nvidia = "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13"
    teams = [{"name": "alpha", "workers": 1}, {"name": "beta", "workers": 1, "image": nvidia}]
    plan = planned(streaming(teams=teams, scheduler_pool={"node_count": 2}))

    (warning,) = (each for each in plan.warnings if "streams images" in each)
    assert warning.startswith(f"Pool a100 streams images, but GKE pulls {nvidia} as a whole")
    assert not [each for each in planned(streaming()).warnings if "streams images" in each]


@pytest.mark.parametrize("value", [True, False])
def test_gke_is_told_what_is_written(monkeypatch: pytest.MonkeyPatch, *, value: bool) -> None:
    recorded = record(streaming(worker_pools=[{"image_streaming": value}]), monkeypatch)
    told = {
        each.name: each.inputs["nodeConfig"].get("gcfsConfig") for each in recorded.of_type(POOL)
    }

    assert told == {
        "a100-nodes": {"enabled": value},
        "scheduler-pool-nodes": None,
        "system-nodes": None,
    }
    assert (ROLE in {each.inputs["role"] for each in recorded.of_type(GRANT)}) is value


def test_nothing_is_said_and_no_right_is_given_where_it_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recorded = record(minimal(), monkeypatch)

    assert not [p for p in recorded.of_type(POOL) if "gcfsConfig" in p.inputs["nodeConfig"]]
    assert ROLE not in {each.inputs["role"] for each in recorded.of_type(GRANT)}
