"""Unit: an adaptive team's bounds hang on its cluster, which keeps the number it began with."""

from copy import deepcopy

import pytest

from manifests.dask_generation import generation
from tests.components.fleets import alpha
from tests.recorded_program import Registration, record
from tests.setting_changes import BASE

AUTOSCALER = "kubernetes:kubernetes.dask.org/v1:DaskAutoscaler"
CLUSTER = "kubernetes:kubernetes.dask.org/v1:DaskCluster"
BOUNDS = {"minimum": 1, "maximum": 2}


def declared(kind: str, monkeypatch: pytest.MonkeyPatch, **team: object) -> list[Registration]:
    stack = deepcopy(BASE)
    stack["teams"][-1] |= team
    return record(stack, monkeypatch).of_type(kind)


def test_the_bounds_are_of_the_cluster_and_go_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    (bounds,) = declared(AUTOSCALER, monkeypatch)

    assert bounds.inputs["spec"] == {"cluster": "tides", **BOUNDS}
    assert bounds.inputs["metadata"]["name"] == "tides"
    assert bounds.deleted_with.endswith("::tides-dask-cluster")
    assert bounds.deletes_before_replace


def test_the_bounds_of_a_blue_green_team_have_the_name_of_its_generation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (bounds,) = declared(AUTOSCALER, monkeypatch, rollout="blue-green")
    cluster = bounds.inputs["spec"]["cluster"]

    assert cluster.startswith("tides-")
    assert bounds.name == f"tides-autoscaler{cluster.removeprefix('tides')}"


def test_only_an_adaptive_cluster_keeps_the_number_that_it_began_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clusters = {each.name: each for each in declared(CLUSTER, monkeypatch)}

    assert clusters["tides-dask-cluster"].ignore_changes == ("spec.worker.replicas",)
    assert clusters["tides-dask-cluster"].inputs["spec"]["worker"]["replicas"] == 1
    assert clusters["alpha-dask-cluster"].ignore_changes == ()


def test_a_team_may_become_adaptive_and_fixed_again_without_another_cluster() -> None:
    fixed, adaptive = generation(alpha(workers=1)), generation(alpha(adaptive=BOUNDS))

    assert fixed == adaptive
