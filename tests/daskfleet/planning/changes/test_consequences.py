"""Unit: what an update means, said by team, pool and cluster."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from daskfleet.catalog.changes import ChangeClass, Operation
from daskfleet.planning.changes.consequence import Consequence, TimeSpan
from daskfleet.planning.changes.consequences import consequences
from daskfleet.planning.changes.resource_change import PropertyChange, ResourceChange
from daskfleet.planning.changes.subjects import SUBJECT_KINDS
from tests.components.fleets import fleet
from tests.daskfleet.planning.changes.declared_inputs import recordings

POOL = "gcp:container/nodePool:NodePool"
DASK_CLUSTER = "kubernetes:kubernetes.dask.org/v1:DaskCluster"


def pool_change(
    operation: Operation, *paths: str, pool: str = "a100", name: str = ""
) -> ResourceChange:
    return ResourceChange(
        type=POOL,
        name=name or f"{pool}-nodes",
        operation=operation,
        parent_type="daskfleet:gke:NodePool",
        parent=pool,
        properties=tuple(PropertyChange(path=path) for path in paths),
    )


def dask_change(operation: Operation, *paths: str, name: str = "") -> ResourceChange:
    return ResourceChange(
        type=DASK_CLUSTER,
        name=name or "alpha-dask-cluster",
        operation=operation,
        parent_type="daskfleet:dask:DaskCluster",
        parent="alpha",
        properties=tuple(PropertyChange(path=path) for path in paths),
    )


def the_one(changes: Sequence[ResourceChange], **settings: object) -> Consequence:
    (only,) = consequences(changes, fleet(**settings))
    return only


A, C = "us-central1-a", "us-central1-c"


@pytest.mark.parametrize(
    ("zones", "nodes", "change_class", "words"),
    [
        (
            ([C], [A, C]),
            None,
            ChangeClass.IN_PLACE,
            "0 to 3 nodes from now on in us-central1-a and",
        ),
        (([A, C], [A]), None, ChangeClass.ROLLS_NODES, "its nodes are shared out anew"),
        (([C], [A]), None, ChangeClass.ROLLS_NODES, "its nodes are shared out anew"),
        (([C], [A, C]), (4, 2), ChangeClass.ROLLS_NODES, "its nodes are shared out anew"),
    ],
)
def test_a_zone_that_comes_takes_nothing_away_unless_the_same_nodes_are_shared_out(
    zones: tuple[list[str], list[str]],
    nodes: tuple[int, int] | None,
    change_class: ChangeClass,
    words: str,
) -> None:
    places = PropertyChange(path="nodeLocations", old=zones[0], new=zones[1])
    # As a review has it: of what grows and shrinks it keeps the direction only.
    numbers = {"grows": (0, 1), "shrinks": (1, 0), None: (None, None)}[places.direction]
    properties = [PropertyChange(path="nodeLocations", old=numbers[0], new=numbers[1])]
    if nodes:
        properties.append(PropertyChange(path="nodeCount", old=nodes[0], new=nodes[1]))
    size: dict[str, object] = (
        {"node_count": 4} if nodes else {"autoscaling": {"min_nodes": 0, "max_nodes": 3}}
    )
    found = the_one(
        [replace(pool_change("update"), properties=tuple(properties))],
        worker_pools=[{"name": "a100", "zones": [A, C], **size}],
    )

    assert found.change_class is change_class
    assert words in found.headline


def test_every_component_with_resources_has_a_subject(monkeypatch: pytest.MonkeyPatch) -> None:
    owners = {
        registration.parent.split("::")[2].split("$")[-1]
        for recording in recordings(monkeypatch)
        for registration in recording.registrations
        if registration.is_custom and registration.parent
    }

    assert owners - {"pulumi:pulumi:Stack"} == SUBJECT_KINDS.keys()


def test_a_component_is_nothing_by_itself() -> None:
    lock = ResourceChange(type="daskfleet:dask:Protection", name="any", operation="delete")
    stack = ResourceChange(type="pulumi:pulumi:Stack", name="any", operation="create")

    assert consequences([lock, stack], fleet()) == ()


def test_an_update_of_a_pools_machine_tells_of_every_worker_and_gpu_on_it() -> None:
    found = the_one([pool_change("update", "nodeConfig.machineType")])

    assert found.change_class is ChangeClass.ROLLS_NODES
    assert found.headline == "pool a100: all 2 nodes are re-created, one after the other, 4 A100"
    assert (found.teams, found.workers, found.nodes, found.gpus) == (("alpha", "beta"), 3, 2, 4)
    assert "Workers of alpha (2), beta (1)" in found.details[0]


def test_labels_for_the_bill_make_the_nodes_anew_and_kubernetes_labels_do_not() -> None:
    billed = the_one([pool_change("update", "nodeConfig.resourceLabels.x")])
    labelled = the_one([pool_change("update", "nodeConfig.labels.x")])

    assert billed.change_class is ChangeClass.ROLLS_NODES
    assert labelled.change_class is ChangeClass.IN_PLACE


@pytest.mark.parametrize(("pool", "jupyter"), [("a100", {"worker_pool": "a100"}), ("system", {})])
def test_notebooks_end_with_their_node(pool: str, jupyter: dict[str, str]) -> None:
    teams = [{"name": "alpha", "workers": 2, "jupyter": jupyter}]
    change = pool_change("update", "nodeConfig.machineType", pool=pool)

    assert "JupyterLab of alpha runs there" in the_one([change], teams=teams).details[-2]
    labelled = pool_change("update", "nodeConfig.labels.x", pool=pool)
    assert not [each for each in the_one([labelled], teams=teams).details if "Jupyter" in each]


def test_nodes_of_an_autoscaled_pool_are_as_many_as_there_may_be() -> None:
    pool = {"name": "a100", "autoscaling": {"min_nodes": 0, "max_nodes": 2}}
    rolled = the_one([pool_change("update", "nodeConfig.machineType")], worker_pools=[pool])
    replaced = the_one([pool_change("replace", "nodeConfig.spot")], worker_pools=[pool])
    resized = the_one([pool_change("update", "autoscaling.maxNodeCount")], worker_pools=[pool])

    assert rolled.headline == (
        "pool a100: its nodes (0 to 2) are re-created, one after the other, up to 4 A100"
    )
    assert replaced.headline == (
        "pool a100: its nodes (0 to 2) go first, up to 4 A100 are given back to the zone, then "
        "the pool comes anew"
    )
    assert resized.headline == (
        "pool a100: 0 to 2 nodes from now on, up to 4 A100; what runs stays"
    )


@pytest.mark.parametrize(
    "size", [{"node_count": 1}, {"autoscaling": {"min_nodes": 1, "max_nodes": 1}}]
)
def test_an_only_node_is_one_however_the_pool_is_sized(size: dict[str, object]) -> None:
    pool = {"name": "a100", **size}
    beta = [{"name": "beta", "workers": 1}]
    rolled = the_one(
        [pool_change("update", "nodeConfig.machineType")], worker_pools=[pool], teams=beta
    )
    replaced = the_one([pool_change("replace", "nodeConfig.spot")], worker_pools=[pool], teams=beta)

    assert rolled.headline == "pool a100: its only node is re-created, 2 A100"
    assert replaced.headline.startswith("pool a100: its only node goes first, 2 A100 are given")


def test_nodes_in_turn_take_their_turns() -> None:
    rolled = the_one([pool_change("update", "nodeConfig.machineType")])
    replaced = the_one([pool_change("replace", "nodeConfig.spot")])

    assert rolled.duration == TimeSpan(low_s=2 * 454, high_s=2 * 1106)
    assert replaced.duration == TimeSpan(low_s=454, high_s=1106)
    assert str(replaced.duration) == "8 to 19 min"


def test_what_rolls_the_scheduler_pool_empties_the_schedulers_of_all_teams() -> None:
    found = the_one([pool_change("update", "nodeConfig.diskSizeGb", pool="scheduler-pool")])

    assert found.teams == ("alpha", "beta")
    assert found.workers == 0
    assert "Schedulers of alpha, beta run there: each restarts empty" in found.details[0]


def test_a_replaced_pool_gives_its_gpus_back_first_unless_it_is_protected() -> None:
    found = the_one([pool_change("replace", "nodeConfig.guestAccelerators[0].type")])

    assert found.change_class is ChangeClass.REPLACES_POOL
    assert found.headline == (
        "pool a100: all 2 nodes go first, 4 A100 are given back to the zone, then the pool comes "
        "anew"
    )
    assert "Pulumi refuses it as long as the pool is protected (long_lived)." in found.details
    assert found.reasons[0].path == "nodeConfig.guestAccelerators[0].type"


def test_two_generations_of_a_pool_are_one_replacement_that_needs_room_for_both() -> None:
    changes = [
        pool_change("create", name="a100-0a1b2c-nodes"),
        pool_change("delete", name="a100-d3e4f5-nodes"),
    ]
    found = the_one(
        changes, worker_pools=[{"name": "a100", "node_count": 2, "replacement": "surge"}]
    )

    assert found.change_class is ChangeClass.REPLACES_POOL
    assert "comes beside the old one" in found.headline
    assert any("must have 4 A100 more" in each for each in found.details)


def test_a_shrinking_pool_loses_nodes_and_a_growing_one_none() -> None:
    def resized(old: int, new: int) -> ResourceChange:
        count = PropertyChange(path="nodeCount", old=old, new=new)
        return ResourceChange(
            type=POOL,
            name="a100-nodes",
            operation="update",
            parent_type="daskfleet:gke:NodePool",
            parent="a100",
            properties=(count,),
        )

    shrinks, grows = the_one([resized(3, 2)]), the_one([resized(1, 2)])

    assert "shrinks to 2 nodes; GKE picks" in shrinks.headline
    assert shrinks.gke_picks_nodes
    assert grows.change_class is ChangeClass.IN_PLACE
    assert not grows.gke_picks_nodes


def test_gke_picks_nodes_only_where_fewer_is_all_that_happens() -> None:
    fewer = PropertyChange(path="nodeCount", old=3, new=2)
    rolled = pool_change("update", "nodeConfig.machineType")
    both = replace(rolled, properties=(fewer, *rolled.properties))
    replaced = replace(pool_change("replace", "nodeConfig.spot"), properties=(fewer,))

    for each in (rolled, both, replaced):
        found = the_one([each])
        assert not found.gke_picks_nodes
        assert "GKE picks" not in found.headline


def test_a_recreated_dask_cluster_says_who_loses_what_and_for_how_long() -> None:
    found = the_one([dask_change("replace", "spec.worker.spec.containers[0].image")])

    assert found.headline == (
        "team alpha: Dask cluster is replaced, scheduler and 2 workers; running work is lost"
    )
    assert found.details[0].startswith("Futures, published data")
    assert (found.teams, found.workers) == (("alpha",), 2)
    assert str(found.duration) == "5 to 13 min"


def test_what_is_pulled_before_keeps_nobody_waiting() -> None:
    change = dask_change("replace", "spec.worker.spec.containers[0].image")
    found = the_one([change], image_prepull=True)

    assert found.duration is None
    assert found.details[0] == (
        "Its image is pulled first, 5 to 13 min; until that is done nothing of the team goes."
    )
    assert found.details[1].startswith("Futures, published data")


def test_one_worker_is_one_worker() -> None:
    change = replace(dask_change("replace", "spec.idleTimeout"), parent="beta")

    assert "scheduler and 1 worker;" in the_one([change]).headline


def test_nothing_is_pulled_when_the_image_stays() -> None:
    found = the_one([dask_change("replace", "spec.scheduler.spec.containers[0].resources")])

    assert found.change_class is ChangeClass.ROLLS_DASK_CLUSTER
    assert found.duration is None
    pulling = the_one(
        [dask_change("replace", "spec.scheduler.spec.containers[0].resources")], image_prepull=True
    )
    assert pulling == found


def test_two_generations_of_a_dask_cluster_are_one_roll() -> None:
    changes = [
        dask_change("create", name="alpha-dask-cluster-0a1b2c3d"),
        dask_change("delete", name="alpha-dask-cluster-4e5f6a7b"),
    ]
    rollout = {"kind": "blue-green", "wait_idle_s": 600}
    teams = [{"name": "alpha", "rollout": rollout}]
    found = the_one(changes, teams=teams, worker_pools=[{"name": "a100", "node_count": 3}])

    assert found.change_class is ChangeClass.ROLLS_DASK_CLUSTER
    assert "beside the old one" in found.headline
    assert any("600 s" in each for each in found.details)


@pytest.mark.parametrize(
    ("operation", "replicas", "headline"),
    [
        ("create", None, "team alpha: new group memory with 1 worker; what runs is not touched"),
        ("update", (2, 1), "team alpha: group memory shrinks to 1 worker; those that go hand over"),
        ("replace", None, "team alpha: group memory is replaced, 1 worker; what only they had in"),
        ("delete", None, "team alpha: group memory goes; what only its workers had in memory"),
    ],
)
def test_a_change_of_a_group_is_told_as_one_and_interrupts_nobody(
    operation: Operation, replicas: tuple[int, int] | None, headline: str
) -> None:
    change = ResourceChange(
        type="kubernetes:kubernetes.dask.org/v1:DaskWorkerGroup",
        name="alpha-group-memory",
        operation=operation,
        parent_type="daskfleet:dask:DaskCluster",
        parent="alpha",
        properties=()
        if replicas is None
        else (PropertyChange(path="spec.worker.replicas", old=replicas[0], new=replicas[1]),),
    )
    found = the_one([change], teams=[{"name": "alpha", "groups": [{"name": "memory"}]}])

    assert found.headline.startswith(headline)
    assert found.teams == ()


def test_a_team_that_retires_loses_its_dask_cluster_and_keeps_its_namespace() -> None:
    found = the_one([dask_change("delete")])

    assert found.headline.endswith("the namespace stays")


def test_a_removed_team_is_told_though_the_plan_does_not_know_it() -> None:
    namespace = ResourceChange(
        type="kubernetes:core/v1:Namespace",
        name="gone-namespace",
        operation="delete",
        parent_type="daskfleet:dask:Team",
        parent="gone",
    )
    found = the_one([namespace])

    assert found.change_class is ChangeClass.DESTROYS_DATA
    assert found.headline.startswith("team gone: its namespace goes with everything in it")


@pytest.mark.parametrize(
    ("old", "new", "headline"),
    [
        (1, 2, "team alpha: grows to 2 workers; those that run go on"),
        (3, 2, "team alpha: shrinks to 2 workers; those that go hand over their data first"),
        (None, None, "team alpha: changed in place; scheduler and workers go on"),
    ],
)
def test_another_number_of_workers_is_felt_by_nobody(
    old: int | None, new: int | None, headline: str
) -> None:
    replicas = PropertyChange(path="spec.worker.replicas", old=old, new=new)
    found = the_one([replace(dask_change("update"), properties=(replicas,))])

    assert found.headline == headline
    assert found.change_class is ChangeClass.IN_PLACE
    assert found.teams == ()


def test_a_new_team_is_told_with_its_size() -> None:
    assert the_one([dask_change("create")]).headline == (
        "team alpha: new Dask cluster, scheduler and 2 workers"
    )


def test_the_only_node_of_a_pool_is_called_so() -> None:
    one_node = [{"name": "a100", "machine_type": "a2-highgpu-4g", "gpus_per_node": 4}]
    found = the_one([pool_change("replace", "nodeConfig.spot")], worker_pools=one_node)

    assert found.headline == (
        "pool a100: its only node goes first, 4 A100 are given back to the zone, then the pool "
        "comes anew"
    )


def test_a_pool_whose_limits_change_is_told_with_its_size() -> None:
    found = the_one([pool_change("update", "autoscaling.maxNodeCount")])

    assert found.headline == "pool a100: 2 nodes from now on, 4 A100; what runs stays"


def test_the_worst_comes_first_and_a_replaced_cluster_is_felt_by_all() -> None:
    cluster = ResourceChange(
        type="gcp:container/cluster:Cluster",
        name="cluster-control-plane",
        operation="replace",
        parent_type="daskfleet:gke:GkeCluster",
        parent="cluster",
        properties=(PropertyChange(path="datapathProvider"),),
    )
    operator = ResourceChange(
        type="kubernetes:helm.sh/v3:Release",
        name="dask-release",
        operation="update",
        parent_type="daskfleet:dask:DaskOperator",
        parent="dask",
        properties=(PropertyChange(path="values.image.tag"),),
    )
    found = consequences(
        [operator, pool_change("update", "nodeConfig.imageType"), cluster], fleet()
    )

    assert [str(each.subject) for each in found] == ["cluster", "pool a100", "operator"]
    assert found[0].teams == ("alpha", "beta")
    assert found[2].headline == "operator: restarts; Dask clusters go on"


def test_the_steps_of_one_replacement_count_once() -> None:
    step = dask_change("replace", "spec.idleTimeout")

    assert len(the_one([step, step]).reasons) == 1


def test_what_stays_the_same_has_no_consequence() -> None:
    assert consequences([dask_change("same")], fleet()) == ()


@pytest.mark.parametrize(
    ("type_token", "expected"),
    [(POOL, ChangeClass.REPLACES_POOL), ("other:index:Type", ChangeClass.DESTROYS_DATA)],
)
def test_what_the_table_does_not_know_is_the_worst_that_its_resource_can_suffer(
    type_token: str, expected: ChangeClass
) -> None:
    unknown = ResourceChange(
        type=type_token,
        name="x",
        operation="update",
        properties=(PropertyChange(path="brandNew"),),
    )
    found = the_one([unknown])

    assert found.change_class is expected
    assert "Not in the table" in found.reasons[0].what


def test_a_person_whose_jupyterlab_is_meant_is_named() -> None:
    change = ResourceChange(
        type="kubernetes:core/v1:PersistentVolumeClaim",
        name="alpha.ann-jupyter-home",
        operation="delete",
        parent_type="daskfleet:dask:Jupyter",
        parent="alpha",
    )
    said = the_one([change]).headline
    assert said.startswith("team alpha: the home of the JupyterLab of ann goes with everything")
    of_both = the_one([change, replace(change, name="alpha-jupyter-home")]).headline
    assert "the home of its JupyterLab and of people's own goes" in of_both


@pytest.mark.parametrize(
    ("kind", "name", "operation", "headline"),
    [
        ("apps/v1:Deployment", "", "replace", "the pod of its JupyterLab goes and running noteb"),
        ("core/v1:PersistentVolumeClaim", "-home", "delete", "the home of its JupyterLab goes"),
    ],
)
def test_what_happens_to_its_jupyterlab_alone_is_not_told_of_the_dask_cluster(
    kind: str, name: str, operation: Operation, headline: str
) -> None:
    change = ResourceChange(
        type=f"kubernetes:{kind}",
        name=f"alpha-jupyter{name}",
        operation=operation,
        parent_type="daskfleet:dask:Jupyter",
        parent="alpha",
    )
    found = the_one([change])

    assert found.headline.startswith(f"team alpha: {headline}")
    assert found.workers == 0
