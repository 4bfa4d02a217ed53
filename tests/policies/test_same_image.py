"""Unit: one image for everything of a team that exchanges objects."""

from policies.same_image import RULE
from tests.policies.fleets import DASK, Fleet

WORKER_IMAGE = ("spec", "worker", "spec", "containers", 0, "image")
OTHER = "nvcr.io/nvidia/rapidsai/base:26.08-cuda12-py3.13"


def with_notebook(fleet: Fleet, *, container: str, image: str) -> Fleet:
    pod = {"containers": [{"name": container, "image": image}]}
    return fleet.with_resource(
        "kubernetes:apps/v1:StatefulSet",
        "alpha-notebook",
        {"metadata": {"namespace": "alpha"}, "spec": {"template": {"spec": pod}}},
    )


def test_a_worker_with_another_image_than_the_scheduler_is_named(fleet: Fleet) -> None:
    ((name, message),) = fleet.with_value(DASK, *WORKER_IMAGE, value=OTHER).violations(RULE)

    assert name == DASK
    assert "the worker has the image" in message
    assert OTHER in message


def test_a_notebook_beside_the_cluster_has_its_image_too(fleet: Fleet) -> None:
    notebook = with_notebook(fleet, container="jupyter", image=OTHER)

    assert notebook.names(RULE) == ["alpha-notebook"]
    assert notebook.names(RULE, containers=["lab"]) == []


def test_what_exchanges_no_objects_has_any_image(fleet: Fleet) -> None:
    assert with_notebook(fleet, container="exporter", image=OTHER).names(RULE) == []
