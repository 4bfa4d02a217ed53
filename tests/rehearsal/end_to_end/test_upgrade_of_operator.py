"""End to end: a newer operator brings its definitions along, and no Dask cluster notices."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daskfleet.planning.definitions import VENDORED
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, Settings, team
from tests.rehearsal.kr8s_client import connect_blocking
from tests.tiers.long_files import LONG
from tests.upgrades.planned_changes import planned_changes
from tests.upgrades.project_copy import copy_project, edit_yaml

pytestmark = LONG

RELEASE = "kubernetes:helm.sh/v3:Release"
NEXT = "2099.1.0"
NEW_FIELD = "priorityClassName"
SPEC = ("spec", "versions", 0, "schema", "openAPIV3Schema", "properties", "spec", "properties")


@pytest.fixture
def newer(fleet: RunningRehearsal, tmp_path: Path) -> Iterator[Path]:
    """Another checkout of the program, with a field more in a definition."""
    project = copy_project(tmp_path)
    definition = project / "manifests" / "dask-crds" / "templates" / "daskcluster.yaml"
    edit_yaml(definition, *SPEC, NEW_FIELD, value={"type": "string"})
    yield project
    if fleet.workspace.project_dir != PROJECT_DIR:
        fleet.move_to(PROJECT_DIR)


def upgraded(fleet: RunningRehearsal, project: Path) -> Settings:
    """Move the fleet to the program with a newer operator; return the settings that go with it."""
    # What manifests/SOURCES.md tells whoever moves the operator to edit.
    edit_yaml(project / "manifests" / "dask-crds" / "Chart.yaml", "version", value=NEXT)
    for name in ("settings/software.py", "catalog/data/helper_images.csv"):
        file = project / "daskfleet" / name
        text = file.read_text("utf-8")
        assert text.count(VENDORED) == 1, name
        file.write_text(text.replace(VENDORED, NEXT), "utf-8")
    fleet.move_to(project)
    # The rehearsal takes the operator's chart from the installed package, so its release is that.
    edit_yaml(fleet.workspace.chart / "Chart.yaml", "version", value=NEXT)
    settings = fleet.settings()
    settings["daskfleet:operator"] |= {"version": NEXT}
    return settings


def fields(fleet: RunningRehearsal) -> set[str]:
    """The fields of a DaskCluster's spec, as the API server knows them."""
    api = connect_blocking(fleet.cluster.kubeconfig)
    crds: Any = api.get("customresourcedefinitions", "daskclusters.kubernetes.dask.org")
    (crd,) = crds
    schema = crd.raw["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    return set(schema["properties"]["spec"]["properties"])


def running(fleet: RunningRehearsal) -> dict[str, set[str]]:
    """UIDs of the Dask clusters and of their pods."""
    clusters: Any = connect_blocking(fleet.cluster.kubeconfig).get("daskclusters", namespace="")
    return {
        "clusters": {cluster.raw["metadata"]["uid"] for cluster in clusters},
        "pods": {uid for name in ("climate", "genomics") for uid in fleet.dask_pods(name)},
    }


def test_a_newer_operator_brings_its_definitions_and_goes_back_and_no_pod_notices(
    fleet: RunningRehearsal, newer: Path
) -> None:
    before = running(fleet)
    operator = fleet.cluster.operator
    assert operator is not None
    assert NEW_FIELD not in fields(fleet)

    settings = upgraded(fleet, newer)
    fleet.up(settings)
    changes = planned_changes(fleet.event_log("up"))
    assert {(change.operation, change.type, change.name) for change in changes} == {
        ("update", RELEASE, "dask-crds"),
        ("update", RELEASE, "dask-release"),
    }
    assert NEW_FIELD in fields(fleet)
    assert running(fleet) == before
    assert fleet.up(settings).changed == 0

    team(settings, "climate")["workers"] = 3
    fleet.up(settings)  # by the new operator
    assert before["pods"] < running(fleet)["pods"]
    now = fleet.cluster.operator
    assert now is not None
    assert now.process.pid != operator.process.pid

    fleet.move_to(PROJECT_DIR)
    fleet.up()
    assert NEW_FIELD not in fields(fleet)
    assert running(fleet) == before


def test_a_definition_that_changes_without_a_version_reaches_the_api_server_too(
    fleet: RunningRehearsal, newer: Path
) -> None:
    before = running(fleet)
    fleet.move_to(newer)
    fleet.up()
    assert NEW_FIELD in fields(fleet)
    assert running(fleet) == before
