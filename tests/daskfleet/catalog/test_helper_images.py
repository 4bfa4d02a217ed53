"""Unit: what pods run that are no team's is named in one table, by a digest where there is one."""

import re
from collections.abc import Iterator
from importlib.resources import files

import pytest
import yaml

from daskfleet.catalog.helper_images import HelperImage, helper_images
from daskfleet.settings.software import Operator
from tests.project import PROJECT_DIR

CHART = files("dask_kubernetes") / "operator/deployment/helm/dask-kubernetes-operator"
PROGRAM = ("components", "daskfleet", "in_cluster", "manifests")
REFERENCE = re.compile(r"(?:ghcr\.io|gcr\.io|quay\.io|docker\.io|registry\.k8s\.io)/[\w./-]+")


def named() -> Iterator[tuple[str, str]]:
    """Each image of a public registry in the program's files, but for the table itself."""
    found = [path for room in PROGRAM for path in (PROJECT_DIR / room).rglob("*")]
    for path in found:
        if path.suffix in {".py", ".yaml", ".json"} and ".venv" not in path.parts:
            for image in REFERENCE.findall(path.read_text("utf-8")):
                yield str(path.relative_to(PROJECT_DIR)), image


def test_no_other_file_of_the_program_names_an_image_that_the_table_does_not_have() -> None:
    listed = {image.repository for image in helper_images().values()}

    assert {image for _, image in named()} <= listed


@pytest.mark.parametrize("image", helper_images().values(), ids=helper_images())
def test_a_digest_is_whole_and_stands_behind_the_tag(image: HelperImage) -> None:
    name, _, digest = image.reference.partition("@")

    assert name == f"{image.repository}:{image.tag}"
    assert image.digest is None or re.fullmatch(r"sha256:[0-9a-f]{64}", digest)


def test_the_tag_of_the_operator_is_the_version_that_is_installed_by_default() -> None:
    assert helper_images()["dask-operator"].tag == Operator().version


def test_the_repository_of_the_operator_is_the_one_of_its_chart() -> None:
    values = yaml.safe_load((CHART / "values.yaml").read_text("utf-8"))

    assert values["image"]["name"] == helper_images()["dask-operator"].repository
