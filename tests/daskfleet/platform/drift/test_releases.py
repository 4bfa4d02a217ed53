"""What Helm releases made."""

from daskfleet.platform.drift.model import Owner, Severity
from daskfleet.platform.drift.snapshot import DEPLOYMENT, Kind
from tests.daskfleet.platform.drift.recordings import (
    in_recorded_cluster,
    recorded,
    with_objects,
    without,
)

DEFINITION = Kind("apiextensions.k8s.io/v1", "CustomResourceDefinition")


def test_a_definition_that_is_gone_is_the_crds_releases() -> None:
    (gone,) = in_recorded_cluster(without(DEFINITION, lambda name: name.startswith("daskjobs")))
    assert gone.severity is Severity.GONE
    assert gone.resource == (
        "CustomResourceDefinition daskjobs.kubernetes.dask.org (Helm release dask-crds)"
    )
    assert "No `pulumi up` sees it" in gone.remedy
    assert "helm rollback dask-crds" in gone.remedy


def test_an_operator_that_is_gone_is_reported() -> None:
    (gone,) = in_recorded_cluster(
        without(DEPLOYMENT, lambda name: name == "dask-kubernetes-operator")
    )
    assert gone.owner is Owner.SOMEBODY
    assert gone.resource.startswith("Deployment dask-kubernetes-operator")


def test_an_operator_whose_image_somebody_set_is_a_hand_edit() -> None:
    operator = recorded("hand_edited")[4]
    (edit,) = in_recorded_cluster(with_objects(operator))
    assert (edit.field, edit.found) == ("spec.template.spec.containers[0].image", "foo:1")
    assert edit.evidence.startswith("field manager kubectl-set at ")
