"""Unit: a team whose workers may be on several pools, by the checks of pods and GPUs."""

from daskfleet.team.verify.checks.gpus import gpus
from daskfleet.team.verify.checks.pods import pods_on_their_pools
from daskfleet.team.verify.facts import Gpu, TeamFacts
from daskfleet.team.verify.model import Outcome
from tests.daskfleet.team.verify import samples

L4 = Gpu(name="NVIDIA L4", memory_mib=23034, compute_capability="8.9")
CHAIN = ("spot", "a100")


def in_order(**changes: str | None) -> TeamFacts:
    """Two workers, one of them as changed."""
    pods = (
        samples.pod("scheduler"),
        samples.pod("fraud-worker-0-abc-x"),
        samples.pod("fraud-worker-1-abc-x", **changes),
    )
    return samples.facts(pods=pods)


def test_a_worker_on_any_pool_of_its_chain_is_in_place_and_is_counted() -> None:
    check = pods_on_their_pools(samples.team(worker_pools=CHAIN), in_order(pool="spot"))

    assert check.outcome is Outcome.OK
    assert check.expected.endswith("workers on spot or a100")
    assert check.seen == "all 3 pods, 1 worker on spot, 1 worker on a100"


def test_a_worker_on_a_pool_that_is_not_of_its_chain_is_found() -> None:
    check = pods_on_their_pools(samples.team(worker_pools=CHAIN), in_order(pool="elsewhere"))

    assert check.outcome is Outcome.FAILED
    assert "fraud-worker-1-abc-x is on pool elsewhere" in check.seen


def test_a_worker_has_the_gpu_of_the_pool_on_which_it_is() -> None:
    found = in_order(pool="l4").model_copy(
        update={
            "dask": samples.dask(
                workers=(samples.worker(0), samples.worker(1, process=samples.process(L4)))
            )
        }
    )
    chain = samples.fleet(worker_pools=("a100", "l4"))
    pool = {"name": "l4", "accelerator": "nvidia-l4"}
    fleet = chain.model_copy(update={"pools": (*chain.pools, type(chain.pools[0])(**pool))})

    assert gpus(fleet, fleet.teams["fraud"], found).outcome is Outcome.OK
    on_a100 = found.model_copy(update={"pods": in_order().pods})
    assert gpus(fleet, fleet.teams["fraud"], on_a100).outcome is Outcome.FAILED
    unseen = tuple(each.model_copy(update={"pool": None}) for each in found.pods)
    members = gpus(fleet, fleet.teams["fraud"], found.model_copy(update={"pods": unseen}))
    assert members.outcome is Outcome.OK
