"""Unit: the settings of a rehearsal, and that a stack's own file is only read."""

from pathlib import Path

import pytest
import yaml

from rehearsal.errors import RehearsalError
from rehearsal.stage.stack_file import LOOPBACK_ENDPOINT, prepare_stack_file, rehearsed
from rehearsal.workspace import Workspace

PROD = """\
# the production fleet
secretsprovider: gcpkms://projects/p/locations/l/keyRings/r/cryptoKeys/k
encryptedkey: CiQA
config:
  daskfleet:project: real-project
  daskfleet:cluster: {name: prod, endpoint: {kind: dns}}
  daskfleet:operator: {namespace: operators}
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A project with one stack file, and the directory of its rehearsal."""
    (tmp_path / "stacks").mkdir()
    (tmp_path / "stacks" / "Pulumi.prod.yaml").write_text(PROD)
    made = Workspace.of_stack(tmp_path, "prod")
    made.directory.mkdir(parents=True)
    return made


def test_the_copy_differs_in_chart_endpoint_and_secrets_only(workspace: Workspace) -> None:
    prepare_stack_file(workspace)
    assert workspace.own_stack_file is not None
    assert yaml.safe_load(workspace.own_stack_file.read_text()) == {
        "config": {
            "daskfleet:project": "real-project",
            "daskfleet:cluster": {"name": "prod", "endpoint": LOOPBACK_ENDPOINT},
            "daskfleet:operator": {
                "namespace": "operators",
                "chart": "./.rehearsal/charts/dask-kubernetes-operator",
            },
        }
    }
    assert workspace.stack_file.read_text() == PROD


def test_the_salt_that_the_engine_wrote_into_the_copy_survives_a_new_copy(
    workspace: Workspace,
) -> None:
    prepare_stack_file(workspace)
    assert workspace.own_stack_file is not None
    with workspace.own_stack_file.open("a") as copy:
        copy.write("encryptionsalt: v1:abc\n")
    prepare_stack_file(workspace)
    assert yaml.safe_load(workspace.own_stack_file.read_text())["encryptionsalt"] == "v1:abc"


def test_a_stack_that_leaves_it_all_to_the_defaults_gets_chart_and_endpoint() -> None:
    assert rehearsed({"config": {}}, shared={}, chart="./chart", salt=None) == {
        "config": {
            "daskfleet:operator": {"chart": "./chart"},
            "daskfleet:cluster": {"endpoint": LOOPBACK_ENDPOINT},
        }
    }


def test_chart_and_endpoint_are_put_into_what_the_project_gives_its_stacks() -> None:
    shared = {"cluster": {"name": "acme"}, "labels": {"org": "acme"}}
    assert rehearsed({"config": {}}, shared=shared, chart="./chart", salt=None) == {
        "config": {
            "daskfleet:operator": {"chart": "./chart"},
            "daskfleet:cluster": {"name": "acme", "endpoint": LOOPBACK_ENDPOINT},
        }
    }


@pytest.mark.parametrize("text", ["config: [", "just words", "config: words", "\x00"])
def test_a_stack_file_that_is_not_one_is_refused_by_name(workspace: Workspace, text: str) -> None:
    workspace.stack_file.write_text(text)
    with pytest.raises(RehearsalError, match=r"Pulumi\.prod\.yaml is not"):
        prepare_stack_file(workspace)


def test_encrypted_values_are_refused_before_the_engine_stumbles_over_them(
    workspace: Workspace,
) -> None:
    workspace.stack_file.write_text("config: {daskfleet:x: {deep: [{secure: v1:abc}]}}")
    with pytest.raises(RehearsalError, match="encrypted values"):
        prepare_stack_file(workspace)


def test_a_missing_stack_file_names_those_that_are_there(workspace: Workspace) -> None:
    with pytest.raises(RehearsalError, match="Stacks here: prod"):
        prepare_stack_file(Workspace.of_stack(workspace.project_dir, "prdo"))


def test_a_key_without_the_namespace_goes_before_what_the_project_gives() -> None:
    stack = {"config": {"operator": {"version": "2026.3.0"}}}
    shared = {"operator": {"version": "2025.1.0"}}
    copy = rehearsed(stack, shared=shared, chart="./chart", salt=None)
    assert "operator" not in copy["config"]
    assert copy["config"]["daskfleet:operator"] == {"version": "2026.3.0", "chart": "./chart"}
