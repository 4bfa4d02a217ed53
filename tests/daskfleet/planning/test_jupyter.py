"""Unit: which image a JupyterLab gets, and where there is no room for it."""

from fractions import Fraction
from typing import Any

import pytest

from daskfleet.planning.cost_lines import HOURS_PER_MONTH
from daskfleet.planning.fleet import plan_fleet
from daskfleet.planning.plan import FleetPlan, PodGroup
from daskfleet.planning.sleep_cost import floor_of
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.stack import Stack
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
    with pytest.raises(StackRefusedError, match="Beside the others none is left for this one"):
        fleet(teams=two)
    assert fleet(teams=two, system_pool={"node_count": 2}).teams[1].jupyter is not None


SMALL = {
    "name": "l4",
    "accelerator": "nvidia-l4",
    "machine_type": "g2-standard-4",
    "gpus_per_node": 1,
}
TWO_POOLS: dict[str, Any] = {"worker_pools": [{"name": "a100", "node_count": 2}, SMALL]}


def with_notebooks_on(pool: str, *, workers: int = 4, **more: Any) -> FleetPlan:
    """A team on both A100 nodes, with notebooks on a pool."""
    team = {
        "name": "alpha",
        "worker_pool": "a100",
        "workers": workers,
        "jupyter": {"worker_pool": pool},
    }
    return fleet(**{**TWO_POOLS, "teams": [{**team, **more}]})


def unused(plan: FleetPlan) -> Fraction:
    """What is paid per hour for nodes that no team uses."""
    return next(share.full for share in plan.cost.shares if share.kind == "unused")


def test_on_a_worker_pool_it_has_a_gpu_there_and_its_team_pays_for_it() -> None:
    plan = with_notebooks_on("l4")
    jupyter = plan.teams[0].jupyter

    assert jupyter is not None
    assert jupyter.generation is not None
    assert (jupyter.pod.gpus, jupyter.generation.name) == (1, "l4")
    on_l4 = plan.placement[-1]
    assert on_l4.nodes == ((PodGroup(team="alpha", component="jupyter", count=1),),)
    without = with_notebooks_on("l4", jupyter=None)
    of_l4 = next(line for line in plan.cost.lines if line.item == "l4")
    assert unused(without) - unused(plan) == of_l4.usd_per_hour_full
    assert not [text for text in plan.warnings if "used by no team" in text]


def test_its_gpu_is_one_that_no_worker_needs() -> None:
    assert with_notebooks_on("a100", workers=3).placement[1].nodes[1] == (
        PodGroup(team="alpha", component="worker", count=1),
        PodGroup(team="alpha", component="jupyter", count=1),
    )
    with pytest.raises(StackRefusedError, match="Beside 4 Dask pods there is no place") as error:
        with_notebooks_on("a100", workers=4)
    assert "daskfleet:teams[0].jupyter.worker_pool" in str(error.value)


def test_a_blue_green_roll_leaves_its_gpu_alone() -> None:
    with pytest.raises(StackRefusedError, match="3 are needed now, 5 during such a roll") as error:
        with_notebooks_on("a100", workers=2, rollout="blue-green")
    assert "short by 1" in str(error.value)


def test_more_than_an_empty_node_has_is_refused_once() -> None:
    with pytest.raises(StackRefusedError, match="1 problem") as error:
        with_notebooks_on("l4", jupyter={"worker_pool": "l4", "memory_gib": 64})
    assert "No node of pool l4 can ever hold this pod" in str(error.value)


@pytest.mark.parametrize(
    ("pool", "said"),
    [
        ("scheduler-pool", "whose GPUs are for them alone"),
        ("cpu", "The pool has no GPUs"),
        ("l40", "write l4, or leave it out"),
    ],
)
def test_only_a_worker_pool_with_gpus_has_one_for_it(pool: str, said: str) -> None:
    cpu = {"name": "cpu", "accelerator": "none", "machine_type": "e2-standard-8"}
    with pytest.raises(StackRefusedError) as error:
        fleet(
            worker_pools=[*TWO_POOLS["worker_pools"], cpu],
            teams=[{"name": "alpha", "worker_pool": "a100", "jupyter": {"worker_pool": pool}}],
        )
    assert said in str(error.value)


def test_a_gpu_that_it_keeps_or_shares_is_said() -> None:
    pool = {**SMALL, "workers_per_gpu": 2, "autoscaling": {"min_nodes": 0, "max_nodes": 1}}
    pools = [{"name": "a100", "node_count": 2}, pool]
    team = {"name": "alpha", "worker_pool": "a100", "jupyter": {"worker_pool": "l4"}}
    text = " ".join(fleet(worker_pools=pools, teams=[team]).warnings)

    assert "JupyterLab of team alpha keeps a node of pool l4" in text
    assert "JupyterLab of team alpha shares a GPU of pool l4" in text


def test_notebooks_that_are_asleep_keep_their_node() -> None:
    pools = [{"name": "a100", "autoscaling": {"min_nodes": 0, "max_nodes": 2}}]
    team = {"name": "alpha", "workers": 2, "idle": {"workers_after_min": 30}}
    alone = floor_of(fleet(worker_pools=pools, teams=[team]))
    beside = floor_of(
        fleet(worker_pools=pools, teams=[{**team, "jupyter": {"worker_pool": "a100"}}])
    )

    assert alone is not None
    assert beside is not None
    assert alone.with_sleep is not None
    assert beside.with_sleep is not None
    assert alone.with_sleep < beside.with_sleep


def test_its_home_is_its_teams_cost() -> None:
    teams = [{"name": "alpha", "workers": 1}, {"name": "beta", "workers": 1}]
    without = fleet(teams=teams).cost
    with_it = fleet(teams=[{**teams[0], "jupyter": {"storage_gib": 100}}, teams[1]]).cost
    more = with_it.full_usd_per_hour - without.full_usd_per_hour
    assert more * HOURS_PER_MONTH == pytest.approx(10)  # 100 GiB of pd-balanced at 0.10 USD
    assert float(with_it.shares[0].full - without.shares[0].full) == pytest.approx(more)
    assert with_it.shares[1] == without.shares[1]
    assert any("persistent volumes but the homes" in note for note in with_it.notes)


PEOPLE = [{"name": name, "member": f"user:{name}@example.com"} for name in ("ann", "bob")]
MEMBERS = [each["member"] for each in PEOPLE]


def test_a_home_for_each_person_is_the_teams_cost() -> None:
    team = {"name": "alpha", "workers": 1, "members": MEMBERS}
    lab = {"storage_gib": 100, "cpu": 0.1, "memory_gib": 1}
    one, three = (
        fleet(teams=[{**team, "jupyter": {**lab, "people": people}}]).cost
        for people in ([], PEOPLE)
    )
    more = three.full_usd_per_hour - one.full_usd_per_hour
    assert more * HOURS_PER_MONTH == pytest.approx(20)  # twice 100 GiB at 0.10 USD


def test_there_must_be_room_for_each_person() -> None:
    jupyter = {"people": PEOPLE}
    said = refused(image=BASE, members=MEMBERS, jupyter=jupyter)
    assert "Beside the others none is left for 2 of its 3" in said
    with pytest.raises(StackRefusedError, match="no place for 3 JupyterLabs"):
        with_notebooks_on("l4", members=MEMBERS, jupyter={**jupyter, "worker_pool": "l4"})


@pytest.mark.parametrize(
    ("people", "members", "said"),
    [
        ([PEOPLE[0], {**PEOPLE[1], "name": "ann"}], MEMBERS, "More than one of them has the name"),
        ([PEOPLE[0], {**PEOPLE[0], "name": "a"}], MEMBERS, "has the member user:ann@example.com"),
        (
            PEOPLE,
            MEMBERS[:1],
            "user:bob@example.com would have a JupyterLab and could not reach it",
        ),
        ([{**PEOPLE[0], "member": "group:team@example.com"}], MEMBERS, "user: and an email"),
        ([{**PEOPLE[0], "name": "Ann B"}], MEMBERS, "at most 20 lower-case letters"),
        ([{**PEOPLE[0], "name": "a-scheduler"}], MEMBERS, "tell JupyterLabs from Dask"),
        ([{**PEOPLE[0], "name": "worker-0123456789"}], MEMBERS, "tell JupyterLabs from Dask"),
    ],
)
def test_a_person_is_one_member_and_has_one_name(
    people: list[dict[str, str]], members: list[str], said: str
) -> None:
    jupyter = {"cpu": 0.1, "memory_gib": 1, "people": people}
    with pytest.raises(StackRefusedError) as error:
        fleet(teams=[{"name": "alpha", "members": members, "jupyter": jupyter}])
    assert said in str(error.value)


def test_who_comes_by_a_group_may_have_one() -> None:
    lab = {"people": PEOPLE, "cpu": 0.1, "memory_gib": 1}
    team = {"name": "alpha", "members": ["group:alpha@example.com"], "jupyter": lab}
    groups = {"security_group": "gke-security-groups@example.com"}
    jupyter = fleet(teams=[team], cluster=groups).teams[0].team.jupyter
    assert jupyter is not None
    assert jupyter.labs == 1 + len(PEOPLE)
