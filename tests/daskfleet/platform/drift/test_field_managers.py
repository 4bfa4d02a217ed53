"""Who wrote which field."""

from collections.abc import Mapping
from typing import Any

import pytest

from daskfleet.platform.drift.field_managers import Write, first_writer, writes, written_by_others
from daskfleet.platform.drift.snapshot import DASK_CLUSTER
from daskfleet.pod_status import KubernetesObject
from tests.daskfleet.platform.drift.recordings import as_declared, recorded


def entry(manager: str, fields: Mapping[str, Any], **rest: object) -> dict[str, object]:
    return {
        "manager": manager,
        "operation": "Update",
        "time": "2026-11-21T14:00:00Z",
        "fieldsV1": fields,
        **rest,
    }


def managed(*entries: dict[str, object], **content: object) -> KubernetesObject:
    return {"metadata": {"name": "x", "managedFields": list(entries)}, **content}


def test_the_newest_writer_of_a_field_comes_first() -> None:
    fields: dict[str, Any] = {"f:spec": {"f:size": {}}}
    live = managed(
        entry("pulumi-kubernetes", fields, time="2026-11-21T13:00:00Z"),
        entry("kubectl-edit", fields),
        spec={"size": 3},
    )
    assert [write.manager for write in writes(live, ("spec", "size"))] == [
        "kubectl-edit",
        "pulumi-kubernetes",
    ]


def test_who_owns_a_whole_list_owns_what_is_in_it() -> None:
    live = managed(entry("kubectl-edit", {"f:spec": {"f:rules": {}}}), spec={"rules": [{"a": 1}]})
    (write,) = writes(live, ("spec", "rules", 0, "a"))
    assert write.manager == "kubectl-edit"


def test_items_of_a_list_are_found_by_their_key() -> None:
    fields: dict[str, Any] = {"f:ports": {'k:{"name":"b"}': {"f:port": {}}}}
    live = managed(entry("k9s", fields), ports=[{"name": "a"}, {"name": "b", "port": 2}])
    assert writes(live, ("ports", 0, "port")) == []
    assert [path for path, _ in written_by_others(live)] == [("ports", 1, "port")]


def test_items_of_a_set_are_found_by_their_value() -> None:
    fields: dict[str, Any] = {"f:spec": {"f:args": {".": {}, 'v:"a"': {}}}}
    live = managed(entry("k9s", fields), spec={"args": ["b", "a"]})
    assert [path for path, _ in written_by_others(live)] == [("spec", "args", 1)]
    assert [write.manager for write in writes(live, ("spec", "args", 1))] == ["k9s"]
    assert writes(live, ("spec", "args", 0)) == []


def test_an_item_that_has_gone_since_it_was_written_is_nobodys() -> None:
    fields: dict[str, Any] = {"f:ports": {'k:{"name":"gone"}': {"f:port": {}}}}
    live = managed(entry("k9s", fields), ports=[{"name": "a"}])
    assert list(written_by_others(live)) == []
    assert writes(live, ("ports", 1, "port")) == []


@pytest.mark.parametrize(
    "live",
    [
        managed(entry("pulumi-kubernetes-0a1b2c3d", {"f:spec": {"f:size": {}}}), spec={"size": 1}),
        managed(entry("helm", {"f:spec": {"f:size": {}}}), spec={"size": 1}),
        managed(entry("kube-controller-manager", {"f:spec": {"f:size": {}}}), spec={"size": 1}),
        managed(entry("anything", {"f:status": {"f:x": {}}}, subresource="status")),
        managed(entry("anything", {"f:status": {"f:x": {}}})),
        managed(entry("anything", {"f:metadata": {"f:finalizers": {'v:"x"': {}}}})),
        managed(entry("neg", {"f:metadata": {"f:annotations": {"f:cloud.google.com/neg": {}}}})),
    ],
    ids=[
        "pulumi",
        "helm",
        "kubernetes",
        "status",
        "status without its subresource",
        "finalizer",
        "an annotation of GKE's",
    ],
)
def test_what_programs_write_by_right_is_nobody_elses(live: KubernetesObject) -> None:
    assert list(written_by_others(live)) == []


def test_pod_security_is_peoples_choice_though_the_label_is_kubernetes() -> None:
    label = "pod-security.kubernetes.io/enforce"
    live = managed(entry("kubectl", {"f:metadata": {"f:labels": {f"f:{label}": {}}}}))
    assert [path for path, _ in written_by_others(live)] == [("metadata", "labels", label)]


def test_right_after_up_pulumi_made_the_cluster() -> None:
    (cluster,) = as_declared().of(DASK_CLUSTER)
    assert first_writer(cluster).startswith("pulumi-kubernetes")
    assert first_writer(recorded("autoscaler")[0]) == "kubectl-create"


def test_a_write_through_scale_has_no_time_and_says_so_by_its_absence() -> None:
    assert Write(manager="kubectl", at=None, subresource="scale").text == (
        "field manager kubectl through /scale"
    )
