"""Unit: settings of workers that work, beside those that `refusals/worker_groups.py` refuses."""

from typing import Any

import pytest

from tests.daskfleet.planning.documents import minimal, planned, refused

CPU = {"name": "cpu", "accelerator": "none", "machine_type": "e2-standard-8", "node_count": 2}
A100_GIB = 40


def one(**worker: Any) -> dict[str, Any]:
    """A team whose only worker has these settings."""
    return minimal(teams=[{"name": "alpha", "workers": 1, "worker": worker}])


def test_who_speaks_ucx_is_told_what_it_takes() -> None:
    said = [each for each in planned(one(protocol="ucx")).warnings if "UCX" in each]

    assert len(said) == 1
    assert "alpha" in said[0]
    assert not [each for each in planned(one()).warnings if "UCX" in each]


@pytest.mark.parametrize(
    "document",
    [
        minimal(
            worker_pools=[CPU],
            teams=[{"name": "alpha", "workers": 1, "worker": {"protocol": "ucx"}}],
        ),
        minimal(teams=[{"name": "alpha", "tls": {}, "worker": {"protocol": "ucx"}}]),
        minimal(
            teams=[
                {
                    "name": "alpha",
                    "worker": {"protocol": "ucx"},
                    "groups": [{"name": "more", "workers": 0}],
                }
            ]
        ),
    ],
    ids=["no GPU", "encrypted", "another group"],
)
def test_ucx_is_for_gpus_that_all_speak_it_unencrypted(document: dict[str, Any]) -> None:
    problems = refused(document).problems

    assert "worker.protocol" in " ".join(problem.key for problem in problems)


@pytest.mark.parametrize(("size", "is_refused"), [(A100_GIB - 1, False), (A100_GIB, True)])
def test_an_rmm_pool_leaves_cuda_some_memory(size: int, *, is_refused: bool) -> None:
    document = one(rmm_pool_size=size)
    if is_refused:
        assert refused(document).problems[0].key == "teams[0].worker.rmm_pool_size"
    else:
        assert planned(document)


def test_variables_that_are_nobodys_are_the_teams_own() -> None:
    environment = {"OMP_NUM_THREADS": "2", "TEAM_TOKEN": "x"}
    assert planned(one(environment={"OMP_NUM_THREADS": "2"}))
    keys = [problem.value for problem in refused(one(environment=environment)).problems]
    assert keys == ["TEAM_TOKEN"]


@pytest.mark.parametrize("amount", [0.5, 1])
def test_a_worker_may_promise_the_gpu_that_it_has(amount: float) -> None:
    (plan,) = planned(one(resources={"GPU": amount})).teams

    assert plan.first_group.resources == {"GPU": amount}


def test_a_command_for_one_worker_may_say_so() -> None:
    planned(one(command=["dask", "cuda", "worker", "--nworkers", "1"]))
