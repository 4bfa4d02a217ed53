"""Unit: which image a JupyterLab gets, and where there is no room for it."""

from typing import Any

import pytest

from planning.fleet import plan_fleet
from planning.plan import HOURS_PER_MONTH
from settings.problems import StackRefusedError
from settings.stack import Stack
from tests.components.fleets import alpha, fleet

BASE = "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13"
OWN = {"ref": "registry.example/team@sha256:" + "0" * 64, "rapids": "26.10", "cuda": 12}
LAB = "registry.example/lab:"


def refused(**team: Any) -> str:
    stack = {"project": "example-project", "teams": [{"name": "alpha", **team}]}
    with pytest.raises(StackRefusedError) as error:
        plan_fleet(Stack.model_validate(stack))
    return str(error.value)


def image_of(**team: Any) -> str:
    jupyter = alpha(**team).jupyter
    assert jupyter is not None
    return jupyter.image.ref


def test_a_team_without_one_has_none() -> None:
    assert alpha(image=BASE).jupyter is None


@pytest.mark.parametrize("registry", ["nvcr.io/nvidia/", "", "eu-docker.pkg.dev/project/mirror/"])
def test_it_is_the_notebooks_image_of_the_same_tag(registry: str) -> None:
    tag = "26.10-cuda12-py3.13"
    expected = f"{registry}rapidsai/notebooks:{tag}"
    assert image_of(image=f"{registry}rapidsai/base:{tag}", jupyter={}) == expected


def test_an_image_of_the_teams_own_needs_one_for_jupyter() -> None:
    said = refused(image=OWN, jupyter={})
    assert "teams[0].jupyter.image" in said
    assert "build one on the team's image" in said
    digest = refused(image=f"{BASE}@sha256:{'0' * 64}", jupyter={})
    assert "without a digest" in digest


def test_one_that_is_named_must_have_what_the_team_has() -> None:
    lab = {**OWN, "ref": f"{LAB}1"}
    assert image_of(image=OWN, jupyter={"image": lab}) == f"{LAB}1"
    other = refused(image=OWN, jupyter={"image": {**lab, "rapids": "26.08", "cuda": 13}})
    assert "RAPIDS 26.08 where the team's image has 26.10, CUDA 13 where" in other
    python = refused(image=BASE, jupyter={"image": BASE.replace("3.13", "3.12")})
    assert "Python 3.12 where the team's image has 3.13" in python
    assert "The tag does not say" in refused(image=BASE, jupyter={"image": f"{LAB}latest"})


def test_the_system_pool_must_have_room_for_all_of_them() -> None:
    assert "teams[0].jupyter" in refused(image=BASE, jupyter={"memory_gib": 64})
    two: list[dict[str, Any]] = [
        {"name": name, "workers": 1, "jupyter": {}} for name in ("alpha", "beta")
    ]
    with pytest.raises(StackRefusedError, match="Beside those of other teams"):
        fleet(teams=two)
    assert fleet(teams=two, system_pool={"node_count": 2}).teams[1].jupyter is not None


def test_its_home_is_its_teams_cost() -> None:
    teams = [{"name": "alpha", "workers": 1}, {"name": "beta", "workers": 1}]
    without = fleet(teams=teams).cost
    with_it = fleet(teams=[{**teams[0], "jupyter": {"storage_gib": 100}}, teams[1]]).cost
    more = with_it.full_usd_per_hour - without.full_usd_per_hour
    assert more * HOURS_PER_MONTH == pytest.approx(10)  # 100 GiB of pd-balanced at 0.10 USD
    assert float(with_it.shares[0].full - without.shares[0].full) == pytest.approx(more)
    assert with_it.shares[1] == without.shares[1]
    assert any("persistent volumes but the homes" in note for note in with_it.notes)
