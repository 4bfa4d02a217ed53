"""Unit: what a change means for a team whose workers may be on several pools."""

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.changes.consequences import consequences
from tests.components.fleets import fleet
from tests.daskfleet.planning.changes.test_consequences import dask_change, pool_change

UP_TO_2 = {"autoscaling": {"min_nodes": 0, "max_nodes": 2}}
CHAIN = {
    "worker_pools": [{"name": "spot", "spot": True, **UP_TO_2}, {"name": "a100", **UP_TO_2}],
    "teams": [
        {"name": "alpha", "worker_pool": ["spot", "a100"], "workers": 2},
        {"name": "beta", "worker_pool": "a100", "workers": 1},
    ],
}


def test_workers_of_a_chain_are_on_a_pool_that_changes_at_most() -> None:
    (found,) = consequences([pool_change("update", "nodeConfig.machineType")], fleet(**CHAIN))

    assert found.teams == ("alpha", "beta")
    assert "Workers of alpha (up to 2), beta (1) run there" in found.details[0]


def test_another_chain_is_another_dask_cluster() -> None:
    path = "spec.worker.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution"
    (found,) = consequences([dask_change("replace", path)], fleet(**CHAIN))

    assert found.change_class is ChangeClass.ROLLS_DASK_CLUSTER
    assert found.teams == ("alpha",)
