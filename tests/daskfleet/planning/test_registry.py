"""Unit: where images come from, and what pods pull them with."""

import pytest

from components.dask_operator import operator_values
from daskfleet.catalog.helper_images import helper_images
from daskfleet.planning.registry import (
    Repository,
    helpers_of,
    pause_image,
    pull_secret_of,
    repository_of,
)
from manifests.operator_program import program
from tests.components.fleets import fleet
from tests.recorded_program import Recording, record

MIRROR = "europe-docker.pkg.dev/acme/mirror"


def of_accounts(recording: Recording) -> dict[str, list[dict[str, str]]]:
    """What each service account of a team lets its pods pull with."""
    return {
        each.inputs["metadata"]["namespace"]: each.inputs.get("imagePullSecrets", [])
        for each in recording.of_type("kubernetes:core/v1:ServiceAccount")
        if each.inputs["metadata"]["name"] == "dask"
    }


@pytest.mark.parametrize(
    ("image", "repository"),
    [
        (f"{MIRROR}/rapids:1", Repository(project="acme", location="europe", name="mirror")),
        (
            "us-central1-docker.pkg.dev/acme/dask/team/rapids@sha256:1",
            Repository(project="acme", location="us-central1", name="dask"),
        ),
        (
            "europe-docker.pkg.dev/example.com/acme/mirror/rapids:1",
            Repository(project="example.com:acme", location="europe", name="mirror"),
        ),
        ("europe-docker.pkg.dev/example.com", None),
        (MIRROR, None),
        ("nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13", None),
        ("rapidsai/base:1", None),
    ],
)
def test_the_repository_of_an_image_is_read_from_its_reference(
    image: str, repository: Repository | None
) -> None:
    assert repository_of(image) == repository


def test_without_a_mirror_each_image_comes_from_its_makers_and_with_one_from_there() -> None:
    makers, ours = fleet().stack, fleet(registry={"mirror": MIRROR}).stack
    values = operator_values(ours, files=program())

    assert pause_image(makers) == helper_images()["pause"]
    assert "name" not in operator_values(makers, files=program())["image"]
    assert pause_image(ours).reference == f"{MIRROR}/{helper_images()['pause'].reference}"
    assert values["image"]["name"] == f"{MIRROR}/ghcr.io/dask/dask-kubernetes-operator"


def test_with_a_mirror_no_pod_of_the_program_names_another_registry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    team = {"name": "alpha", "workers": 1, "idle": {"workers_after_min": 30}}
    document = {
        "project": "example-project",
        "registry": {"mirror": MIRROR},
        "image": {"ref": f"{MIRROR}/rapids:1", "rapids": "26.10", "cuda": 12},
        "image_prepull": True,
        "gpu_health": {},
        "teams": [team],
    }

    found = set(images(record(document, monkeypatch)))

    assert len(found) > len(helpers_of(fleet().stack))
    assert not {each for each in found if not each.startswith(f"{MIRROR}/")} - {
        "cos-nvidia-installer:fixed"
    }


def images(recording: Recording) -> list[str]:
    """Every image that an input names, the operator's among them."""
    found: list[str] = []

    def look(value: object) -> None:
        if isinstance(value, dict):
            image = value.get("image")
            if isinstance(image, str):
                found.append(image)
            elif isinstance(image, dict):
                found.append(image.get("name", "ghcr.io/dask/dask-kubernetes-operator"))
            for each in value.values():
                look(each)
        elif isinstance(value, list):
            for each in value:
                look(each)

    for registration in recording.registrations:
        look(registration.inputs)
    return found


def test_a_fleet_on_gkes_driver_that_pulls_nothing_ahead_needs_no_pause_image() -> None:
    names = [each.name for each in helpers_of(fleet().stack)]
    gke = {"install": "gke", "channel": "DEFAULT"}

    assert names == ["pause", "dask-operator"]
    assert [each.name for each in helpers_of(fleet(driver=gke).stack)] == ["dask-operator"]
    assert len(helpers_of(fleet(driver=gke, image_prepull=True).stack)) == len(names)


def test_a_team_pulls_with_its_own_secret_or_else_with_the_one_of_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    teams = [{"name": "alpha", "workers": 1, "pull_secret": "own"}, {"name": "beta", "workers": 1}]
    shared = {"machine_type": "n1-standard-4", "schedulers_per_gpu": 2}
    document = {"project": "example-project", "scheduler_pool": shared, "teams": teams}
    stack = fleet(teams=teams, registry={"pull_secret": "acme"}).stack

    given = of_accounts(record({**document, "registry": {"pull_secret": "acme"}}, monkeypatch))

    assert [pull_secret_of(team, stack) for team in stack.teams] == ["own", "acme"]
    assert given == {"alpha": [{"name": "own"}], "beta": [{"name": "acme"}]}
    assert of_accounts(record(document, monkeypatch))["beta"] == []


def test_the_nodes_account_may_read_in_each_project_that_is_named_and_only_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document = {
        "project": "example-project",
        "registry": {"reader_in": ["acme-images", "more-images"]},
        "teams": [{"name": "alpha", "workers": 1}],
    }
    grants = [
        (each.inputs["project"], each.inputs["role"])
        for each in record(document, monkeypatch).of_type("gcp:projects/iAMMember:IAMMember")
    ]

    elsewhere = {grant for grant in grants if grant[0] != "example-project"}
    assert elsewhere == {
        ("acme-images", "roles/artifactregistry.reader"),
        ("more-images", "roles/artifactregistry.reader"),
    }
