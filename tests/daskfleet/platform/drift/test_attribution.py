"""From evidence to owner, where no recording has the case."""

from typing import Any

from daskfleet.platform.drift.attribution import REMOVED, owner_of_absence, owner_of_change
from daskfleet.platform.drift.compare import Change
from daskfleet.platform.drift.model import Owner
from daskfleet.pod_status import KubernetesObject

SIZE = Change(path=("spec", "size"), declared=1, found=2)


def managed(manager: str | None) -> KubernetesObject:
    entry: dict[str, Any] = {
        "manager": manager,
        "fieldsV1": {"f:spec": {"f:size": {}}},
        "time": "2026-11-21T14:00:00Z",
    }
    return {"metadata": {"managedFields": [entry] if manager else []}, "spec": {"size": 2}}


def test_another_pulumi_run_is_named_as_such() -> None:
    attribution = owner_of_change(SIZE, managed("pulumi-kubernetes-0a1b2c3d"))
    assert attribution.owner is Owner.NOT_RECORDED
    assert "another Pulumi run" in attribution.evidence


def test_a_controller_that_changes_a_declared_field_is_gkes() -> None:
    assert owner_of_change(SIZE, managed("gke-something")).owner is Owner.GKE


def test_without_field_managers_nobody_is_accused() -> None:
    assert owner_of_change(SIZE, managed(None)).owner is Owner.NOT_RECORDED
    removed = Change(path=("spec", "size"), declared=1, found=None)
    assert owner_of_change(removed, managed(None)).evidence == REMOVED


def test_an_idle_timeout_that_the_state_knows_is_evidence() -> None:
    token = "kubernetes:kubernetes.dask.org/v1:DaskCluster"  # noqa: S105 - a type token
    attribution = owner_of_absence(token, {"spec": {"idleTimeout": 600}})
    assert attribution.owner is Owner.SOMEBODY_OR_IDLE
    assert "an idleTimeout of 600 s" in attribution.evidence
