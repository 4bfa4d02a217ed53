"""Unit: what goes, as it is foretold from consequences and as it is seen."""

from dataclasses import replace
from typing import Any

from daskfleet.catalog.changes import Operation
from daskfleet.planning.changes.consequences import consequences
from daskfleet.planning.changes.resource_change import PropertyChange, ResourceChange
from daskfleet.planning.generations import generation_of
from daskfleet.platform.review.rehearsal_run.disruption import (
    Disruption,
    foretold,
    pool_names,
    seen,
)
from daskfleet.platform.review.rehearsal_run.fleet import Fleet
from tests.components.fleets import fleet
from tests.daskfleet.platform.review.rehearsal_run.fleets import BEFORE, looked_at

PULLING = "image-prepull"
TYPES = {
    "pool": ("gcp:container/nodePool:NodePool", "daskfleet:gke:NodePool"),
    "dask": ("kubernetes:kubernetes.dask.org/v1:DaskCluster", "daskfleet:dask:DaskCluster"),
    "namespace": ("kubernetes:core/v1:Namespace", "daskfleet:dask:Team"),
    "cluster": ("gcp:container/cluster:Cluster", "daskfleet:gke:GkeCluster"),
    "operator": ("kubernetes:helm.sh/v3:Release", "daskfleet:dask:DaskOperator"),
    "quota": ("kubernetes:core/v1:ResourceQuota", "daskfleet:dask:Team"),
}


def change(
    kind: str, owner: str, operation: Operation, path: str = "", *, numbers: Any = (None, None)
) -> ResourceChange:
    type_token, parent_type = TYPES[kind]
    old, new = numbers
    properties = (PropertyChange(path=path, old=old, new=new),) if path else ()
    return ResourceChange(
        type=type_token,
        name=f"{owner}-any",
        operation=operation,
        parent_type=parent_type,
        parent=owner,
        properties=properties,
    )


def told(*changes: ResourceChange, before: Fleet = BEFORE, **settings: Any) -> Disruption:
    plan = fleet(**settings)
    expected = consequences(changes, plan)
    return foretold(expected, before.named(pool_names(expected, plan)), plan)


def test_a_change_that_nobody_feels_takes_nothing() -> None:
    found = told(change("quota", "alpha", "update", "spec.hard"))

    assert (found.nodes, found.dask_pods) == ({}, {})
    assert (found.namespaces, found.platform) == (frozenset(), frozenset())


def test_a_roll_takes_one_teams_pods_and_no_others() -> None:
    found = told(change("dask", "alpha", "replace", "spec.scheduler"))

    assert found.dask_pods == {("alpha", "scheduler"): "all", ("alpha", "worker"): "all"}
    assert (found.nodes, found.namespaces) == ({}, frozenset())


def test_fewer_workers_go_though_nothing_rolls() -> None:
    teams = [{"name": "alpha", "workers": 1}, {"name": "beta", "workers": 1}]
    fewer = told(
        change("dask", "alpha", "update", "spec.worker.replicas", numbers=(2, 1)), teams=teams
    )
    assert fewer.dask_pods == {("alpha", "worker"): "some"}

    rolled_too = told(change("dask", "alpha", "replace", "spec.scheduler"), teams=teams)
    assert rolled_too.dask_pods == {("alpha", "scheduler"): "all", ("alpha", "worker"): "all"}


def test_how_many_workers_an_adaptive_team_keeps_the_operator_chooses() -> None:
    teams = [
        {"name": "alpha", "adaptive": {"minimum": 1, "maximum": 3}},
        {"name": "beta", "workers": 1},
    ]
    found = told(teams=teams)
    assert found.dask_pods == {}
    assert found.unsure == {("alpha", "worker")}

    rolled = told(change("dask", "alpha", "replace", "spec.scheduler"), teams=teams)
    assert rolled.dask_pods == {("alpha", "scheduler"): "all", ("alpha", "worker"): "all"}
    assert rolled.unsure == frozenset()


def test_a_pool_that_rolls_takes_the_workers_and_the_installers_on_it() -> None:
    found = told(change("pool", "a100", "update", "nodeConfig.machineType"))

    assert found.nodes == {"a100": "all"}
    assert found.dask_pods == {("alpha", "worker"): "all", ("beta", "worker"): "all"}
    assert found.platform == {"driver installer"}


def test_the_scheduler_pool_takes_schedulers_and_the_system_pool_the_operator() -> None:
    schedulers = told(change("pool", "scheduler-pool", "update", "nodeConfig.diskType"))
    assert schedulers.dask_pods == {("alpha", "scheduler"): "all", ("beta", "scheduler"): "all"}

    system = told(change("pool", "system", "update", "nodeConfig.imageType"))
    assert system.platform == {"operator"}
    assert system.dask_pods == {}


def test_without_a_daemonset_no_installer_goes_with_a_pool() -> None:
    before = looked_at(nodes={"a100": "ab"}, teams={"alpha": ("1", "23")})

    found = told(change("pool", "a100", "update", "nodeConfig.machineType"), before=before)

    assert found.platform == frozenset()


def test_a_pool_that_shrinks_loses_some_nodes_and_nobody_knows_whose_pods() -> None:
    found = told(change("pool", "a100", "update", "nodeCount", numbers=(2, 1)))

    assert (found.nodes, found.dask_pods) == ({"a100": "some"}, {})
    assert found.unsure >= {("alpha", "worker"), ("beta", "worker"), "driver installer"}


def test_the_autoscaler_may_take_nodes_that_nobody_foretold() -> None:
    pool = {"name": "a100", "autoscaling": {"min_nodes": 0, "max_nodes": 2}}

    found = told(change("dask", "alpha", "replace", "spec.scheduler"), worker_pools=[pool])

    assert found.unsure == {"a100", "driver installer"}


def test_a_surge_pool_goes_under_the_name_of_its_generation() -> None:
    pool = {"name": "a100", "node_count": 2, "replacement": "surge"}
    stack = fleet(worker_pools=[pool]).stack
    old = generation_of(stack.worker_pools[0], stack).name
    before = looked_at(
        nodes={old: "ab"},
        teams={"alpha": ("1", "23")},
        platform={("driver installer", old): "yz"},
    )
    beside = [change("pool", "a100", "create"), change("pool", "a100", "delete")]

    found = told(*beside, before=before, worker_pools=[pool])

    assert old != "a100"
    assert found.nodes == {"a100": "all"}
    assert found.platform == {"driver installer"}


def test_a_pool_that_is_removed_loses_its_nodes() -> None:
    before = looked_at(nodes={"a100": "ab", "l4": "c"})

    assert told(change("pool", "l4", "delete"), before=before).nodes == {"l4": "all"}


def test_a_team_that_is_removed_takes_its_own_namespace_and_nothing_else() -> None:
    changes = [change("namespace", "beta", "delete"), change("dask", "beta", "delete")]

    found = told(*changes, teams=[{"name": "alpha", "workers": 2}])

    assert found.namespaces == {"beta"}
    assert found.dask_pods == {("beta", "scheduler"): "all", ("beta", "worker"): "all"}
    assert found.nodes == {}


def test_a_team_that_is_retired_already_has_no_pods_to_lose() -> None:
    before = looked_at(teams={"alpha": ("1", "23")}, namespaces={"alpha": "A", "beta": "B"})

    found = told(
        change("namespace", "beta", "delete"),
        before=before,
        teams=[{"name": "alpha", "workers": 2}],
    )

    assert found.namespaces == {"beta"}
    assert found.dask_pods == {}


def test_pods_that_pull_images_take_their_namespace_when_they_are_switched_off_and_only_then() -> (
    None
):
    before = looked_at(teams={"alpha": ("1", "23")}, namespaces={"alpha": "A", PULLING: "P"})
    gone = ResourceChange(
        type="kubernetes:core/v1:Namespace",
        name=PULLING,
        operation="delete",
        parent_type="daskfleet:gke:ImagePrepull",
        parent=PULLING,
        properties=(),
    )
    one_image = replace(gone, type="kubernetes:apps/v1:DaemonSet", name=f"{PULLING}-a100-0a1b2c3d")

    assert told(gone, one_image, before=before).namespaces == {PULLING}
    for images in ([one_image], [replace(one_image, operation="create"), one_image]):
        assert told(*images, before=before, image_prepull=True).namespaces == frozenset()


def test_another_cluster_takes_everything_that_there_is() -> None:
    found = told(change("cluster", "cluster", "replace", "location"))

    assert found.nodes == dict.fromkeys(BEFORE.nodes, "all")
    assert found.dask_pods == dict.fromkeys(BEFORE.dask_pods, "all")
    assert found.namespaces == set(BEFORE.namespaces)
    assert found.platform == {"operator", "driver installer"}


def test_the_operator_restarts_and_dask_goes_on() -> None:
    found = told(change("operator", "dask", "update", "values.resources"))

    assert found.platform == {"operator"}
    assert found.dask_pods == {}


def test_what_is_new_is_no_disruption_and_what_went_is() -> None:
    after = looked_at(
        nodes={"system": "s", "scheduler-pool": "t", "a100": "bc"},
        teams={"alpha": ("1", "23"), "beta": ("6", "7"), "gamma": ("8", "9")},
        namespaces={"alpha": "A", "kube-system": "K", "gamma": "G"},
        platform={
            ("operator", "system"): "p",
            ("driver installer", "scheduler-pool"): "x",
            ("driver installer", "a100"): "yzv",
        },
    )

    assert seen(BEFORE, after) == Disruption(
        nodes={"a100": "some"},
        dask_pods={("beta", "scheduler"): "all", ("beta", "worker"): "all"},
        namespaces=frozenset({"beta"}),
        platform=frozenset({"operator"}),
    )
