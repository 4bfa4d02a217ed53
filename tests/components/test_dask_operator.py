"""Unit: the operator's release, and the definitions that are vendored for it."""

import shutil
from importlib.resources import files
from pathlib import Path

import pytest
import yaml

from components.dask_operator import (
    definitions_digest,
    operator_values,
    repository,
)
from components.definitions_chart import IN_A_CHECKOUT
from daskfleet.settings.software import Operator
from manifests.operator_program import config_map_data, config_map_name, program
from tests.components.fleets import fleet

WHEEL = files("dask_kubernetes") / "operator/deployment/helm/dask-kubernetes-operator/crds"
DIGEST = "sha256:" + "0123456789abcdef" * 4
VENDORED = Path("manifests/dask-crds/templates")


def test_the_vendored_definitions_are_those_of_the_wheel_byte_for_byte() -> None:
    wheel = {entry.name: entry.read_bytes() for entry in WHEEL.iterdir()}
    vendored = {path.name: path.read_bytes() for path in VENDORED.iterdir()}

    assert vendored == wheel


def test_no_definition_holds_what_helm_would_take_for_a_template() -> None:
    assert not [path.name for path in VENDORED.iterdir() if b"{{" in path.read_bytes()]


def test_the_definitions_carry_the_version_of_the_operator_that_is_installed_by_default() -> None:
    chart = yaml.safe_load(Path(IN_A_CHECKOUT, "Chart.yaml").read_text("utf-8"))

    assert chart["version"] == Operator().version


def test_a_definition_that_is_mended_without_a_new_version_is_another_digest(
    tmp_path: Path,
) -> None:
    chart = Path(shutil.copytree(IN_A_CHECKOUT, tmp_path / "dask-crds"))
    before = definitions_digest(str(chart))
    definition = chart / "templates" / "daskjob.yaml"
    definition.write_bytes(definition.read_bytes() + b"#")

    assert definitions_digest(str(chart)) != before


def test_the_operator_stays_on_the_system_pool_and_states_its_needs() -> None:
    values = operator_values(fleet().stack, files=program())

    assert values["nodeSelector"] == {"cloud.google.com/gke-nodepool": "system"}
    assert set(values["resources"]["requests"]) == {"cpu", "memory"}


@pytest.mark.parametrize(
    ("operator", "tag"),
    [
        ({}, "2026.3.0"),
        ({"version": "2026.3.0", "image_digest": DIGEST}, f"2026.3.0@{DIGEST}"),
    ],
)
def test_the_operators_image_has_the_digest_that_the_stack_file_gives(
    operator: dict[str, str], tag: str
) -> None:
    values = operator_values(fleet(operator=operator).stack, files=program())

    assert values["image"] == {"tag": tag}


def test_the_operator_loads_a_file_that_its_pod_has_before_its_controller() -> None:
    values = operator_values(fleet().stack, files=program())

    first = values["kopfArgs"][-1]
    (mount,) = values["volumeMounts"]
    (volume,) = values["volumes"]
    paths = {f"{mount['mountPath']}/{each['path']}" for each in volume["configMap"]["items"]}
    assert first in paths
    assert f"{mount['mountPath']}/in_cluster/operator_http/guard.py" in paths
    assert volume["configMap"]["name"] == config_map_name(program())
    keys = {each["key"] for each in volume["configMap"]["items"]}
    assert keys == set(config_map_data(program()))
    assert values["kopfArgs"][0] == "--all-namespaces"  # else the chart's own is lost
    assert "--standalone" in values["kopfArgs"]  # else it asks for peers, which it may not see


@pytest.mark.parametrize(
    ("chart", "from_repository"), [("dask-kubernetes-operator", True), ("./charts/own", False)]
)
def test_a_chart_that_is_a_directory_needs_no_repository(
    chart: str,
    from_repository: bool,  # noqa: FBT001
) -> None:
    assert (repository(Operator(chart=chart)) is not None) == from_repository
