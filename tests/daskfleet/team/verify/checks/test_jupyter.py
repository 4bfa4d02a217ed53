"""Unit: the team's JupyterLab by its pod."""

from typing import Any

import pytest

from daskfleet.team.verify.model import Check, Outcome
from tests.daskfleet.team.verify.samples import checked, facts, pod, the_only_failure

IMAGE = "nvcr.io/nvidia/rapidsai/notebooks:26.10-cuda12-py3.13"

DECLARED = {"service": "jupyter", "port": 8888, "token_secret": "jupyter", "image": IMAGE}


def judged(*pods: Any) -> dict[str, Check]:
    return checked(facts(jupyter=pods), jupyter=DECLARED)


def test_one_ready_pod_of_the_declared_image_is_in_order() -> None:
    found = judged(pod("jupyter-1", role="jupyter", image=IMAGE))

    assert found["JupyterLab"].outcome is Outcome.OK
    assert IMAGE in found["JupyterLab"].expected


def test_a_team_without_one_is_not_asked_for_it() -> None:
    assert "JupyterLab" not in checked(facts())


@pytest.mark.parametrize(
    ("changes", "seen"),
    [
        ({"image": "registry.example/other:1"}, "jupyter-1 runs registry.example/other:1"),
        ({"is_ready": False, "state": "Pending, ImagePullBackOff"}, "jupyter-1: Pending, Image"),
    ],
)
def test_another_image_and_a_pod_that_is_not_ready_are_named(
    changes: dict[str, Any], seen: str
) -> None:
    failure = the_only_failure(
        judged(pod("jupyter-1", **{"role": "jupyter", "image": IMAGE, **changes}))
    )

    assert failure.name == "JupyterLab"
    assert seen in failure.seen


def test_it_is_where_its_gpu_is() -> None:
    lab = pod("jupyter-1", role="jupyter", image=IMAGE, pool="system")
    declared = {**DECLARED, "worker_pool": "l4"}

    failure = the_only_failure(checked(facts(jupyter=[lab]), jupyter=declared))
    assert failure.expected.endswith("on l4")
    assert failure.seen == "jupyter-1 is on system"


def test_none_at_all_is_a_failure() -> None:
    assert the_only_failure(judged()).seen == "0 pods"


def test_where_it_is_is_not_claimed_by_those_who_may_not_read_nodes() -> None:
    lab = pod("jupyter-1", role="jupyter", image=IMAGE, pool=None)
    found = checked(facts(jupyter=[lab]), jupyter={**DECLARED, "worker_pool": "l4"})["JupyterLab"]

    assert found.outcome is Outcome.OK
    assert "l4" not in found.expected


def test_each_persons_pod_is_looked_for() -> None:
    alice = {"service": "jupyter-alice", "token_secret": "jupyter-alice-token"}
    declared = {**DECLARED, "people": {"alice": alice}}
    labs = [pod(f"{name}-1", role="jupyter", image=IMAGE) for name in ("jupyter", "jupyter-alice")]

    found = checked(facts(jupyter=labs), jupyter=declared)["JupyterLab"]
    assert (found.outcome, found.seen) == (Outcome.OK, "jupyter-1, jupyter-alice-1")
    failure = the_only_failure(checked(facts(jupyter=labs[:1]), jupyter=declared))
    assert failure.seen == "1 pod"
    assert "describe deployment jupyter jupyter-alice --namespace" in failure.next_step
