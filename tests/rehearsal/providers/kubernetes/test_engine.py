"""Rehearsal tier: the stand-in under the real Pulumi engine, from first preview to destroy."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pulumi import automation

from rehearsal.control_plane import ControlPlane
from rehearsal.control_plane.credentials import ENGINEER
from rehearsal.providers.kubernetes.api import KubernetesApi
from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.toolchain import Binaries
from tests.project import PROJECT_DIR
from tests.rehearsal.providers.engine_runs import changes, engine_environment, search_path
from tests.rehearsal.providers.kubernetes.charts_for_tests import write_chart
from tests.rehearsal.providers.kubernetes.engine_program import (
    CRD,
    NAMESPACE,
    PAINTER,
    Wishes,
    program,
)

pytestmark = pytest.mark.rehearsal


@pytest.fixture
def environment(
    tmp_path: Path, binaries: Binaries, kubeconfig: str, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    """The engine's environment: its own home with the plugin in it, and a credential plugin."""
    plugin = tmp_path / "home/plugins/resource-kubernetes-v4.34.2/pulumi-resource-kubernetes"
    run_module = f'exec {sys.executable} -m rehearsal.providers.kubernetes "$@"'
    write_script(plugin, f"PYTHONPATH={PROJECT_DIR} {run_module}")
    token = json.loads(kubeconfig)["users"][0]["user"]["token"]
    credential = {
        "apiVersion": "client.authentication.k8s.io/v1beta1",
        "kind": "ExecCredential",
        "status": {"token": token},
    }
    write_script(tmp_path / "bin/test-auth-plugin", f"echo '{json.dumps(credential)}'")
    path = search_path(tmp_path / "bin", binaries.pulumi.parent)
    monkeypatch.setenv("PATH", path)
    return {
        **engine_environment(tmp_path, path=path),
        "DASKFLEET_HELM": str(binaries.helm),
        "PULUMI_HOME": str(tmp_path / "home"),
    }


@pytest.fixture
def wishes(tmp_path: Path, kubeconfig: str) -> Wishes:
    """The first version of the program, with the cluster's token behind an exec plugin."""
    document = json.loads(kubeconfig)
    document["users"][0]["user"] = {
        "exec": {
            "apiVersion": "client.authentication.k8s.io/v1beta1",
            "command": "test-auth-plugin",
            "interactiveMode": "Never",
            "provideClusterInfo": True,
        }
    }
    chart = write_chart(tmp_path / "crds", template=CRD)
    return Wishes(kubeconfig=json.dumps(document), chart=chart)


@pytest.fixture
def stack(
    tmp_path: Path, environment: dict[str, str], wishes: Wishes
) -> Iterator[automation.Stack]:
    """A stack of its own, removed with everything in it after the test."""
    stack = automation.create_stack(
        "test",
        project_name="engine-test",
        program=program(wishes),
        opts=automation.LocalWorkspaceOptions(
            work_dir=str(tmp_path), pulumi_home=environment["PULUMI_HOME"], env_vars=environment
        ),
    )
    yield stack
    stack.destroy()


def writes(audit_log: Path) -> int:
    """How many mutating requests the account behind the kubeconfig has sent so far."""
    # The API server may be in the middle of its last line.
    whole, _, _ = audit_log.read_text().rpartition("\n")
    records = [json.loads(line) for line in whole.splitlines()]
    return sum(
        record["user"]["username"] == ENGINEER
        and record["verb"] in {"create", "update", "patch", "delete"}
        for record in records
    )


def write_script(path: Path, line: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)


def test_a_stack_lives_from_preview_to_destroy(
    stack: automation.Stack, wishes: Wishes, api: KubernetesApi, control_plane: ControlPlane
) -> None:
    planned = stack.preview()
    assert planned.change_summary == {"create": 10}
    made = stack.up()
    assert changes(made) == {"create": 10}
    painter_uid = made.outputs["painter"].value

    written = writes(control_plane.audit_log)
    assert written > 0
    assert changes(stack.up(expect_no_changes=True)) == {}
    assert writes(control_plane.audit_log) == written
    act_as_operator(api)
    assert changes(stack.refresh(expect_no_changes=True)) == {}
    assert set(stack.preview(expect_no_changes=True).change_summary) == {"same"}

    stack.workspace.program = program(replace(wishes, brushes=2, label="b"))
    updated = stack.up()
    assert changes(updated) == {"update": 6}
    assert updated.outputs["painter"].value == painter_uid
    painter = api.get(PAINTER, NAMESPACE, "painter")
    assert painter is not None
    assert painter["spec"]["brushes"] == 2
    assert painter["status"] == {"phase": "Pending"}

    stack.workspace.program = program(replace(wishes, brushes=2, label="b", image="paint:2"))
    replaced = stack.up()
    assert changes(replaced) == {"replace": 1}
    assert replaced.outputs["painter"].value != painter_uid

    stack.destroy()
    assert api.get(Kind("", "v1", "Namespace"), None, NAMESPACE) is None
    definition = Kind("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
    assert api.get(definition, None, "painters.paint.example.com") is None


def act_as_operator(api: KubernetesApi) -> None:
    """Write what the Dask operator writes to its resources: annotations, labels, status."""
    theirs = {
        "apiVersion": PAINTER.api_version,
        "kind": PAINTER.name,
        "metadata": {
            "name": "painter",
            "namespace": NAMESPACE,
            "annotations": {"kopf.zalando.org/last-handled-configuration": "{}"},
        },
        "status": {"phase": "Pending"},
    }
    api.apply(PAINTER, theirs, manager="kopf", force=True, dry_run=False)
