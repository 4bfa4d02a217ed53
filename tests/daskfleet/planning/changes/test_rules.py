"""Unit: what the table answers for one input."""

import pytest

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.changes.rules import Direction, UnclassifiedError, class_of, direction_of

POOL = "gcp:container/nodePool:NodePool"
DASK_CLUSTER = "kubernetes:kubernetes.dask.org/v1:DaskCluster"
RELEASE = "kubernetes:helm.sh/v3:Release"
SUBNET = "gcp:compute/subnetwork:Subnetwork"


def test_an_update_that_re_creates_nodes_is_not_called_an_update() -> None:
    assert class_of(POOL, "nodeConfig.machineType", operation="update") is ChangeClass.ROLLS_NODES


def test_gke_writes_labels_and_taints_onto_running_nodes() -> None:
    assert class_of(POOL, 'nodeConfig.labels["dedicated"]') is ChangeClass.IN_PLACE
    assert class_of(POOL, "nodeConfig.taints[1].value") is ChangeClass.IN_PLACE


def test_a_new_image_rolls_the_dask_cluster_and_more_workers_do_not() -> None:
    image = "spec.worker.spec.containers[0].image"

    assert class_of(DASK_CLUSTER, image) is ChangeClass.ROLLS_DASK_CLUSTER
    assert class_of(DASK_CLUSTER, "spec.worker.replicas") is ChangeClass.IN_PLACE


@pytest.mark.parametrize(
    ("direction", "expected"),
    [
        ("grows", ChangeClass.IN_PLACE),
        ("shrinks", ChangeClass.ROLLS_NODES),
        (None, ChangeClass.ROLLS_NODES),
    ],
)
def test_a_pool_loses_nodes_only_when_it_shrinks(
    direction: Direction | None, expected: ChangeClass
) -> None:
    assert class_of(POOL, "nodeCount", direction=direction) is expected


def test_a_range_that_only_grows_is_an_update_and_the_engine_knows_which_it_is() -> None:
    assert class_of(SUBNET, "ipCidrRange", operation="update") is ChangeClass.IN_PLACE
    assert class_of(SUBNET, "ipCidrRange", operation="replace") is ChangeClass.REPLACES_CLUSTER
    assert class_of(SUBNET, "ipCidrRange") is ChangeClass.REPLACES_CLUSTER


def test_the_release_of_the_definitions_is_worse_to_lose_than_the_operators() -> None:
    operator = class_of(RELEASE, name="dask-release", operation="delete")
    definitions = class_of(RELEASE, name="dask-crds", operation="delete")

    assert operator is ChangeClass.RESTARTS_PLATFORM
    assert definitions is ChangeClass.ROLLS_DASK_CLUSTER


def test_a_block_is_as_bad_as_the_worst_input_in_it() -> None:
    assert class_of(POOL, "nodeConfig") is ChangeClass.REPLACES_POOL
    assert class_of(POOL, "autoscaling") is ChangeClass.IN_PLACE


@pytest.mark.parametrize(
    ("type_token", "path"), [(POOL, "noSuchInput"), ("other:index:Type", "name"), (POOL, "name2.x")]
)
def test_an_input_without_a_row_is_named(type_token: str, path: str) -> None:
    with pytest.raises(UnclassifiedError, match=path):
        class_of(type_token, path)


def test_an_operation_without_a_row_is_named() -> None:
    with pytest.raises(UnclassifiedError, match="operation create"):
        class_of("other:index:Type", operation="create")


def test_classes_are_ordered_from_nothing_to_lost_data() -> None:
    assert max(ChangeClass) is ChangeClass.DESTROYS_DATA
    assert min(ChangeClass) is ChangeClass.NOTHING
    assert ChangeClass.ROLLS_NODES > ChangeClass.ROLLS_DASK_CLUSTER > ChangeClass.IN_PLACE


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (1, 2, "grows"),
        (2.0, 1, "shrinks"),
        (1, 1, None),
        (False, True, None),
        ("1", "2", None),
        (["c"], ["a", "c"], "grows"),
        (["a", "c"], ["a"], "shrinks"),
        (["a", "c"], ["c", "a"], None),
        (["a"], ["c"], None),
    ],
)
def test_numbers_and_lists_grow_and_shrink_and_nothing_else(
    old: object, new: object, expected: str | None
) -> None:
    assert direction_of(old, new) == expected
