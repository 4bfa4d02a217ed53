"""Rehearsal tier: the stand-in under the real Pulumi engine, from first preview to destroy."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pulumi
import pulumi_kubernetes as k8s
import pytest
from pulumi import automation

from rehearsal.control_plane import ControlPlane
from rehearsal.control_plane.credentials import ENGINEER
from rehearsal.providers.kubernetes.api import KubernetesApi
from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.toolchain import Binaries
from tests.rehearsal.providers.kubernetes.charts_for_tests import write_chart

pytestmark = pytest.mark.rehearsal

PROJECT_ROOT = Path(__file__).parents[4]
NAMESPACE = "engine-test"
PAINTER = Kind("paint.example.com", "v1", "Painter")
CONFIG_MAP = Kind("", "v1", "ConfigMap")

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: painters.paint.example.com}
spec:
  group: paint.example.com
  scope: Namespaced
  names: {kind: Painter, plural: painters}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: {brushes: {type: integer}, image: {type: string}}
            status: {type: object, x-kubernetes-preserve-unknown-fields: true}
"""


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What the program under test asks for."""

    kubeconfig: str
    chart: str
    brushes: int = 1
    image: str = "paint:1"
    label: str = "a"


def program(wishes: Wishes) -> Callable[[], None]:
    """One object of each sort that the project uses."""

    def run() -> None:
        provider = k8s.Provider(
            "cluster", kubeconfig=wishes.kubeconfig, cluster_identifier="project/zone/cluster"
        )
        options = pulumi.ResourceOptions(provider=provider)
        namespace = k8s.core.v1.Namespace(NAMESPACE, metadata={"name": NAMESPACE}, opts=options)
        inside = {"namespace": namespace.metadata.name, "labels": {"team": wishes.label}}
        k8s.core.v1.ServiceAccount("account", metadata={"name": "a", **inside}, opts=options)
        k8s.core.v1.ConfigMap("unnamed", metadata=inside, data={"a": "1"}, opts=options)
        labels = {"app": "driver"}
        pod = {"containers": [{"name": "c", "image": "driver:1"}], "node_selector": {"gpu": "yes"}}
        k8s.apps.v1.DaemonSet(
            "driver",
            metadata={"name": "driver", **inside},
            spec={
                "selector": {"match_labels": labels},
                "template": {"metadata": {"labels": labels}, "spec": pod},
            },
            opts=options,
        )
        k8s.core.v1.Service(
            "service",
            metadata={"name": "painter", **inside},
            spec={"selector": {"app": "painter"}, "ports": [{"name": "tcp", "port": 8786}]},
            opts=options,
        )
        k8s.networking.v1.NetworkPolicy(
            "deny",
            metadata={"name": "deny", **inside},
            spec={"pod_selector": {}, "policy_types": ["Ingress"]},
            opts=options,
        )
        definitions = k8s.helm.v3.Release(
            "crds", name="crds", chart=wishes.chart, namespace=namespace.metadata.name, opts=options
        )
        painter = k8s.apiextensions.CustomResource(
            "painter",
            api_version=PAINTER.api_version,
            kind=PAINTER.name,
            metadata={"name": "painter", **inside},
            spec={"brushes": wishes.brushes, "image": wishes.image},
            opts=pulumi.ResourceOptions(
                provider=provider,
                depends_on=[definitions],
                replace_on_changes=["spec.image"],
                delete_before_replace=True,
            ),
        )
        pulumi.export("painter", painter.metadata.apply(lambda metadata: metadata.get("uid")))

    return run


@pytest.fixture
def environment(
    tmp_path: Path, binaries: Binaries, kubeconfig: str, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    """The engine's environment: its own home with the plugin in it, and a credential plugin."""
    plugin = tmp_path / "home/plugins/resource-kubernetes-v4.34.2/pulumi-resource-kubernetes"
    run_module = f'exec {sys.executable} -m rehearsal.providers.kubernetes "$@"'
    write_script(plugin, f"PYTHONPATH={PROJECT_ROOT} {run_module}")
    token = json.loads(kubeconfig)["users"][0]["user"]["token"]
    credential = {
        "apiVersion": "client.authentication.k8s.io/v1beta1",
        "kind": "ExecCredential",
        "status": {"token": token},
    }
    write_script(tmp_path / "bin/test-auth-plugin", f"echo '{json.dumps(credential)}'")
    path = os.pathsep.join([str(tmp_path / "bin"), str(binaries.pulumi.parent), os.environ["PATH"]])
    monkeypatch.setenv("PATH", path)
    (tmp_path / "state").mkdir()
    return {
        "PATH": path,
        "DASKFLEET_HELM": str(binaries.helm),
        "PULUMI_HOME": str(tmp_path / "home"),
        "PULUMI_BACKEND_URL": f"file://{tmp_path / 'state'}",
        "PULUMI_CONFIG_PASSPHRASE": "",
        "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "1",
        "PULUMI_SKIP_UPDATE_CHECK": "1",
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


def changes(result: automation.UpResult | automation.RefreshResult) -> dict[str, int]:
    """How many resources changed, by operation."""
    counted = result.summary.resource_changes or {}
    return {str(operation): count for operation, count in counted.items() if operation != "same"}


def writes(audit_log: Path) -> int:
    """How many mutating requests the account behind the kubeconfig has sent so far."""
    records = [json.loads(line) for line in audit_log.read_text().splitlines()]
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
