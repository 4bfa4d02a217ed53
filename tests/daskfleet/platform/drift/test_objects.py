"""Declared objects against recorded live ones: who changed what."""

import pytest

from daskfleet.platform.drift.model import Difference, Owner, Severity
from daskfleet.platform.drift.snapshot import DASK_CLUSTER, Kind, Snapshot
from daskfleet.pod_status import KubernetesObject
from tests.daskfleet.platform.drift.recordings import (
    as_declared,
    edited,
    in_recorded_cluster,
    recorded,
    with_objects,
    without,
)

CLIMATE = "DaskCluster climate/climate"
NETWORK_POLICY = Kind("networking.k8s.io/v1", "NetworkPolicy")


def found(snapshot: Snapshot, title: str) -> dict[str, Difference]:
    """The differences of one resource by field."""
    return {each.field: each for each in in_recorded_cluster(snapshot) if each.resource == title}


@pytest.fixture
def hand_edited() -> Snapshot:
    return with_objects(*recorded("hand_edited"))


def test_right_after_up_nothing_differs() -> None:
    assert in_recorded_cluster(as_declared()) == []


def test_kubectl_edit_is_reported_with_field_values_manager_and_time(hand_edited: Snapshot) -> None:
    (edit,) = found(hand_edited, "NetworkPolicy climate/egress").values()
    assert edit.field == "spec.egress[0].ports[0].protocol"
    assert (edit.declared, edit.found) == ("UDP", "TCP")
    assert edit.owner is Owner.HAND
    assert edit.evidence == "field manager kubectl-edit at 2026-11-21 14:21:26 UTC"
    assert "PULUMI_K8S_ENABLE_PATCH_FORCE=true pulumi up --refresh" in edit.remedy


def test_labels_that_were_changed_added_and_removed_are_told_apart(hand_edited: Snapshot) -> None:
    by_field = found(hand_edited, "Namespace climate")
    changed = by_field['metadata.labels["pod-security.kubernetes.io/enforce"]']
    added = by_field["metadata.labels.hello"]
    removed = by_field["metadata.labels.cost-center"]
    assert (changed.declared, changed.found) == ("restricted", "privileged")
    assert (added.declared, added.found) == (None, "world")
    assert (removed.declared, removed.found) == ("cc-1001", None)
    assert changed.owner is added.owner is Owner.HAND
    assert removed.owner is Owner.NOT_RECORDED
    assert "Pulumi removes only what it set" in added.remedy
    assert 'metadata.labels["pod-security.kubernetes.io/audit"]' in by_field


def test_an_image_in_a_dask_cluster_is_to_be_put_back_and_not_refreshed(
    hand_edited: Snapshot,
) -> None:
    image = found(hand_edited, CLIMATE)["spec.worker.spec.containers[0].image"]
    assert image.found == "example.com/other:1"
    assert image.owner is Owner.HAND
    assert "kubectl edit daskcluster climate --namespace climate" in image.remedy
    assert "would replace the cluster" in image.remedy


def test_an_idle_timeout_is_as_bad_as_a_deletion(hand_edited: Snapshot) -> None:
    idle = found(hand_edited, CLIMATE)["spec.idleTimeout"]
    assert idle.severity is Severity.GONE
    assert (idle.declared, idle.found) == (0, 1800)
    assert "deletes the cluster" in idle.remedy


def test_an_idle_timeout_that_was_taken_away_deletes_nothing() -> None:
    (live,) = as_declared().of(DASK_CLUSTER)
    without_one = edited(live, lambda cluster: cluster["spec"].pop("idleTimeout"))

    idle = found(with_objects(without_one), CLIMATE)["spec.idleTimeout"]

    assert idle.severity is Severity.CHANGED
    assert (idle.declared, idle.found) == (0, None)


def test_what_may_be_a_secret_is_not_shown(hand_edited: Snapshot) -> None:
    differences = in_recorded_cluster(hand_edited)
    assert any("env" in each.field for each in differences)
    assert "hunter2" not in "".join(each.model_dump_json() for each in differences)


def test_kubectl_scale_of_a_dask_cluster_is_a_users_scaling_with_its_time() -> None:
    cluster, group = recorded("kubectl_scaled")
    (scaled,) = found(with_objects(cluster, group), CLIMATE).values()
    assert (scaled.field, scaled.declared, scaled.found) == ("spec.worker.replicas", 2, 1)
    assert scaled.owner is Owner.USER_SCALE
    assert scaled.evidence.startswith("field manager kubectl through /scale; the operator followed")
    assert "`workers: 1`" in scaled.remedy


def test_while_the_operator_has_not_followed_no_time_is_told() -> None:
    cluster, group = recorded("kubectl_scaled")
    elsewhere = edited(group, lambda live: live["spec"]["worker"].update(replicas=2))
    (scaled,) = (
        each
        for each in found(with_objects(cluster, elsewhere), CLIMATE).values()
        if each.field == "spec.worker.replicas"
    )
    assert scaled.evidence == "field manager kubectl through /scale"


def test_a_deleted_object_is_gone_and_up_creates_it_only_with_a_refresh() -> None:
    gone = found(
        without(NETWORK_POLICY, lambda name: name == "default-deny"),
        "NetworkPolicy climate/default-deny",
    )[""]
    assert gone.severity is Severity.GONE
    assert gone.owner is Owner.SOMEBODY
    assert "`pulumi up --refresh` creates it again" in gone.remedy


def test_a_dask_cluster_that_is_gone_may_have_been_idle_and_the_audit_log_tells() -> None:
    (gone,) = found(without(DASK_CLUSTER, lambda name: name == "climate"), CLIMATE).values()
    assert gone.owner is Owner.SOMEBODY_OR_IDLE
    assert "only the audit log tells" in gone.evidence
    assert "namespaces/climate/daskclusters/climate" in gone.ask


def test_an_object_that_is_being_deleted_says_what_it_waits_for() -> None:
    (live,) = as_declared().of(DASK_CLUSTER)
    dying = edited(live, _marked_for_deletion)
    (going,) = in_recorded_cluster(with_objects(dying))
    assert going.severity is Severity.GONE
    assert going.found == "has been in deletion since 2026-11-21T15:00:00Z"
    assert going.evidence == "waits for kopf.zalando.org/KopfFinalizerMarker"


def test_a_value_put_back_by_hand_is_information_since_pulumi_does_not_own_it() -> None:
    policy = recorded("hand_edited")[0]

    def put_back(live: KubernetesObject) -> None:
        live["spec"]["egress"][0]["ports"][0]["protocol"] = "UDP"

    (left,) = found(with_objects(edited(policy, put_back)), "NetworkPolicy climate/egress").values()
    assert left.severity is Severity.INFORMATION
    assert not left.is_drift
    assert "refuses Pulumi's next change" in left.remedy


def test_what_the_operator_notes_on_a_dask_cluster_is_its_own() -> None:
    (live,) = as_declared().of(DASK_CLUSTER)
    assert "kopf.zalando.org/KopfFinalizerMarker" in live["metadata"]["finalizers"]
    assert live["status"]
    assert found(as_declared(), CLIMATE) == {}


def _marked_for_deletion(live: KubernetesObject) -> None:
    live["metadata"]["deletionTimestamp"] = "2026-11-21T15:00:00Z"
