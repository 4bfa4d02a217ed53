"""What the operator made, and Dask that nobody declared."""

import json
from typing import Any

import pytest

from daskfleet.platform.drift.look import in_cluster
from daskfleet.platform.drift.model import Owner, Severity
from daskfleet.platform.drift.snapshot import (
    DASK_CLUSTER,
    DASK_WORKER_GROUP,
    DEPLOYMENT,
    SERVICE,
    Kind,
    Snapshot,
)
from daskfleet.platform.drift.state import StackState
from daskfleet.pod_status import KubernetesObject
from tests.daskfleet.platform.drift.recordings import (
    as_declared,
    declared,
    edited,
    in_recorded_cluster,
    recorded,
    recorded_state,
    with_objects,
    without,
)


def adaptive_state(*, minimum: int, maximum: int) -> StackState:
    """The recorded state with a DaskAutoscaler of the program's; the recorded one is another's."""
    state = recorded_state()
    like = declared("climate-dask-cluster")
    inputs = {
        "apiVersion": "kubernetes.dask.org/v1",
        "kind": "DaskAutoscaler",
        "metadata": {"name": "climate", "namespace": "climate"},
        "spec": {"cluster": "climate", "minimum": minimum, "maximum": maximum},
    }
    bounds = like.model_copy(update={"urn": f"{like.urn}-bounds", "inputs": inputs})
    return state.model_copy(update={"objects": (*state.objects, bounds)})


def test_scale_of_dask_kubernetes_is_seen_on_the_worker_group() -> None:
    (group,) = recorded("dask_scaled")
    resized, missing = in_recorded_cluster(with_objects(group))
    assert resized.resource == "DaskWorkerGroup climate/climate-default"
    assert (resized.declared, resized.found) == (2, 3)
    assert resized.owner is Owner.USER_SCALE
    assert "field manager kr8s at 2026-11-21" in resized.evidence
    assert "deletes the cluster's DaskAutoscaler" in resized.evidence
    assert missing.found == 2  # the recording has not the third worker's Deployment


def test_a_dask_autoscaler_is_unknown_and_owns_the_number_of_workers() -> None:
    (group,), (autoscaler,) = recorded("dask_scaled"), recorded("autoscaler")
    differences = in_recorded_cluster(with_objects(group, autoscaler))
    (unknown,) = (each for each in differences if each.severity is Severity.UNKNOWN)
    (resized,) = (each for each in differences if each.field == "spec.worker.replicas")
    assert unknown.resource == "DaskAutoscaler climate/climate"
    assert "field manager kubectl-create" in unknown.evidence
    assert resized.owner is Owner.DASK_AUTOSCALER
    assert "kubectl delete daskautoscaler climate --namespace climate" in resized.remedy


def test_between_its_bounds_an_adaptive_cluster_may_have_any_size() -> None:
    (group,), (autoscaler,) = recorded("dask_scaled"), recorded("autoscaler")
    snapshot = with_objects(group, autoscaler)
    within = in_cluster(adaptive_state(minimum=1, maximum=4), snapshot)
    assert "spec.worker.replicas" not in {each.field for each in within}
    assert Severity.UNKNOWN not in {each.severity for each in within}

    beyond = in_cluster(adaptive_state(minimum=1, maximum=2), snapshot)
    (outside,) = (each for each in beyond if each.field == "spec.worker.replicas")
    assert (outside.declared, outside.found) == ("1 to 2", 3)
    assert outside.owner is Owner.DASK_AUTOSCALER


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (DEPLOYMENT, "climate-scheduler"),
        (SERVICE, "climate-scheduler"),
        (DASK_WORKER_GROUP, "climate-default"),
    ],
)
def test_a_child_that_is_gone_was_deleted_and_up_has_it_made_again(kind: Kind, name: str) -> None:
    (gone,) = in_recorded_cluster(without(kind, lambda each: each == name))
    assert gone.severity is Severity.GONE
    assert gone.resource == f"{kind.name} climate/{name}"
    assert gone.owner is Owner.SOMEBODY
    assert "does not restore it" in gone.evidence
    assert gone.remedy == "`pulumi up` makes the operator create it."


def test_a_child_of_a_cluster_that_is_being_created_is_the_operators() -> None:
    (cluster,) = as_declared().of(DASK_CLUSTER)
    created = edited(cluster, lambda live: live["status"].update(phase="Created"))
    snapshot = without(SERVICE, lambda name: name == "climate-scheduler")
    snapshot = type(snapshot)(objects={**snapshot.objects, DASK_CLUSTER: (created,)})
    (coming,) = in_recorded_cluster(snapshot)
    assert coming.owner is Owner.OPERATOR
    assert "has not made it yet" in coming.evidence


def test_a_deleted_worker_deployment_comes_back_when_the_number_changes() -> None:
    workers = [
        each["metadata"]["name"]
        for each in as_declared().of(DEPLOYMENT)
        if "-default-worker-" in each["metadata"]["name"]
    ]
    (gone,) = in_recorded_cluster(without(DEPLOYMENT, lambda name: name == workers[0]))
    assert gone.severity is Severity.GONE
    assert (gone.declared, gone.found) == (2, 1)
    assert gone.owner is Owner.SOMEBODY
    assert gone.remedy.index("--replicas 1") < gone.remedy.index("--replicas 2")


def test_a_hand_edit_of_what_the_operator_made_is_seen_by_nobody_else() -> None:
    scheduler = recorded("hand_edited")[3]
    edits = in_recorded_cluster(with_objects(scheduler))
    assert {each.resource for each in edits} == {"Deployment climate/climate-scheduler"}
    assert {each.owner for each in edits} == {Owner.HAND}
    assert all("kubectl rollout undo deployment climate-scheduler" in e.remedy for e in edits)


def test_a_deployment_scaled_to_zero_is_found_without_a_field_manager() -> None:
    (scheduler,) = (
        each
        for each in as_declared().of(DEPLOYMENT)
        if each["metadata"]["name"] == "climate-scheduler"
    )
    stopped = edited(scheduler, lambda live: live["spec"].update(replicas=0))
    (found,) = in_recorded_cluster(with_objects(stopped))
    assert (found.field, found.declared, found.found) == ("spec.replicas", 1, 0)
    assert "kubectl scale deployment climate-scheduler" in found.remedy


def test_a_dask_cluster_that_the_stack_does_not_know_is_reported_with_its_maker() -> None:
    (extra,) = recorded("extra_cluster")
    (unknown,) = in_recorded_cluster(with_objects(extra))
    assert unknown.severity is Severity.UNKNOWN
    assert unknown.resource == "DaskCluster climate/extra"
    assert unknown.evidence == "created at 2026-11-21T14:21:27Z by field manager kubectl-create"


def test_a_dask_job_is_reported_and_not_the_cluster_that_it_brings() -> None:
    (extra,) = recorded("extra_cluster")

    def owned(live: KubernetesObject) -> None:
        live["metadata"]["ownerReferences"] = [{"kind": "DaskJob", "name": "job"}]

    job = {
        "apiVersion": "kubernetes.dask.org/v1",
        "kind": "DaskJob",
        "metadata": {
            "name": "job",
            "namespace": "climate",
            "creationTimestamp": "2026-11-21T14:00:00Z",
        },
    }
    (unknown,) = in_recorded_cluster(with_objects(edited(extra, owned), job))
    assert unknown.resource == "DaskJob climate/job"


def test_a_second_worker_group_is_reported_because_it_loses_workers() -> None:
    (group,) = as_declared().of(DASK_WORKER_GROUP)
    second = edited(group, lambda live: live["metadata"].update(name="climate-highmem"))
    (unknown,) = in_recorded_cluster(with_objects(second))
    assert unknown.resource == "DaskWorkerGroup climate/climate-highmem"
    assert "scaled down" in unknown.remedy


def test_a_number_that_the_operator_has_not_acted_on_is_the_operators() -> None:
    (group,) = as_declared().of(DASK_WORKER_GROUP)
    asked = edited(group, lambda live: live["spec"]["worker"].update(replicas=5))
    (waiting,) = in_recorded_cluster(with_objects(asked))
    assert waiting.resource == "DaskWorkerGroup climate/climate-default"
    assert (waiting.declared, waiting.found) == (5, 2)
    assert waiting.owner is Owner.OPERATOR
    assert "has not acted" in waiting.evidence


def _asleep(group: KubernetesObject, *, declared: int = 2, replicas: int = 0) -> KubernetesObject:
    """A group as the idle controller leaves it, once the operator has followed."""
    noted = {
        "idle.daskfleet/asleep-since": "2026-11-22T12:00:00+00:00",
        "idle.daskfleet/declared-workers": str(declared),
    }

    def sleep(live: KubernetesObject) -> None:
        annotations = live["metadata"].setdefault("annotations", {})
        annotations.update(noted)
        handled = {"spec": {"worker": {"replicas": replicas}}}
        annotations["kopf.zalando.org/last-handled-configuration"] = json.dumps(handled)
        live["spec"]["worker"]["replicas"] = replicas
        fields: dict[str, Any] = {
            "f:metadata": {"f:annotations": {f"f:{key}": {} for key in noted}}
        }
        fields["f:spec"] = {"f:worker": {"f:replicas": {}}}
        entry = {"manager": "daskfleet-idle-controller", "fieldsV1": fields}
        live["metadata"]["managedFields"].append({**entry, "operation": "Update"})

    return edited(group, sleep)


def _without_workers(*changed: KubernetesObject) -> Snapshot:
    objects = {**with_objects(*changed).objects}
    objects[DEPLOYMENT] = tuple(
        each for each in objects[DEPLOYMENT] if "-default-worker-" not in each["metadata"]["name"]
    )
    return Snapshot(objects=objects)


def test_workers_that_sleep_are_no_drift() -> None:
    (group,) = as_declared().of(DASK_WORKER_GROUP)
    assert in_recorded_cluster(_without_workers(_asleep(group))) == []


@pytest.mark.parametrize(("declared", "replicas"), [(5, 0), (2, 1)])
def test_a_note_excuses_no_other_number(declared: int, replicas: int) -> None:
    (group,) = as_declared().of(DASK_WORKER_GROUP)
    noted = _asleep(group, declared=declared, replicas=replicas)
    (resized, *_) = in_recorded_cluster(_without_workers(noted))
    assert (resized.declared, resized.found) == (2, replicas)


def test_a_worker_group_of_the_stack_is_looked_at_like_the_default_one() -> None:
    (group,) = as_declared().of(DASK_WORKER_GROUP)
    second = edited(group, lambda live: live["metadata"].update(name="climate-highmem"))
    state = recorded_state()
    inputs = {
        "apiVersion": second["apiVersion"],
        "kind": second["kind"],
        "metadata": {"name": "climate-highmem", "namespace": "climate"},
        "spec": second["spec"],
    }
    like = declared("climate-dask-cluster")
    of_stack = like.model_copy(update={"urn": f"{like.urn}-highmem", "inputs": inputs})
    of_dask = in_cluster(
        state.model_copy(update={"objects": (*state.objects, of_stack)}), with_objects(second)
    )
    assert Severity.UNKNOWN not in {each.severity for each in of_dask}
    (missing,) = (each for each in of_dask if each.resource.startswith("Deployments of "))
    assert missing.resource == "Deployments of DaskWorkerGroup climate/climate-highmem"
    assert (missing.field, missing.declared, missing.found) == ("number", 2, 0)


def test_a_number_of_pods_is_reported_once_and_not_as_a_hand_edit_too() -> None:
    (scheduler,) = (
        each
        for each in as_declared().of(DEPLOYMENT)
        if each["metadata"]["name"] == "climate-scheduler"
    )
    entry = {"manager": "kubectl-edit", "fieldsV1": {"f:spec": {"f:replicas": {}}}}

    def stop(live: KubernetesObject) -> None:
        live["spec"]["replicas"] = 0
        live["metadata"]["managedFields"].append({**entry, "operation": "Update"})

    (found,) = in_recorded_cluster(with_objects(edited(scheduler, stop)))
    assert (found.field, found.owner) == ("spec.replicas", Owner.HAND)
    assert found.evidence == "field manager kubectl-edit"
