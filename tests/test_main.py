"""Unit: the program as a whole under mocks, and the project file that starts it."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from daskfleet.settings.stack import Stack
from tests.recorded_program import Recording, Registration, record

PROGRAM = Path("components/fleet.py")
PROJECT = yaml.safe_load(Path("Pulumi.yaml").read_text("utf-8"))

SETTINGS: dict[str, Any] = {
    "project": "example-project",
    "scheduler_pool": {"machine_type": "n1-standard-4", "schedulers_per_gpu": 2},
    "worker_pools": [{"name": "a100", "node_count": 2}],
    "teams": [{"name": "alpha", "workers": 2}, {"name": "beta", "workers": 1}],
}
NODE_POOL = "gcp:container/nodePool:NodePool"
CLUSTER = "gcp:container/cluster:Cluster"
DASK_CLUSTER = "kubernetes:kubernetes.dask.org/v1:DaskCluster"
DAEMON_SET = "kubernetes:apps/v1:DaemonSet"
RELEASE = "kubernetes:helm.sh/v3:Release"


@pytest.fixture
def fleet(monkeypatch: pytest.MonkeyPatch) -> Recording:
    return record(SETTINGS, monkeypatch)


def test_the_program_reads_as_a_table_of_contents() -> None:
    text = PROGRAM.read_text("utf-8")
    decisions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.If | ast.IfExp)]

    assert len(text.splitlines()) <= 75
    assert decisions == []


def test_the_project_refuses_an_engine_older_than_its_sdk() -> None:
    requirements = Path("requirements.in").read_text("utf-8")
    (pin,) = (line for line in requirements.splitlines() if line.startswith("pulumi=="))

    assert f">={pin.removeprefix('pulumi==')} " in PROJECT["requiredPulumiVersion"]


def test_the_project_types_exactly_the_settings_without_a_default() -> None:
    required = {name for name, field in Stack.model_fields.items() if field.is_required()}

    assert set(PROJECT["config"]) == required


def test_stack_files_are_looked_for_where_they_are() -> None:
    assert PROJECT["stackConfigDir"] == "stacks"


def test_every_resource_in_google_cloud_uses_the_stacks_project(fleet: Recording) -> None:
    google = [each for each in fleet.registrations if each.type.startswith("gcp:")]

    assert google
    assert all("google" in each.provider for each in google)


def test_every_object_in_the_cluster_uses_the_clusters_provider_and_goes_with_it(
    fleet: Recording,
) -> None:
    inside = [each for each in fleet.registrations if each.type.startswith("kubernetes:")]

    assert inside
    assert all("kubernetes-provider" in each.provider for each in inside)
    assert all(each.deleted_with.endswith("cluster-control-plane") for each in inside)


def test_no_two_resources_have_the_same_name(fleet: Recording) -> None:
    urns = [(each.parent, each.type, each.name) for each in fleet.registrations]

    assert len(urns) == len(set(urns))


def test_all_pools_come_side_by_side(fleet: Recording) -> None:
    pools = fleet.of_type(NODE_POOL)

    assert len(pools) == 3
    assert not [urn for pool in pools for urn in pool.dependencies if NODE_POOL in urn]


def test_only_the_system_pool_takes_what_tolerates_no_taint(fleet: Recording) -> None:
    untainted = [each.name for each in fleet.of_type(NODE_POOL) if not taints(each)]
    with_gpus = [each for each in fleet.of_type(NODE_POOL) if each.name not in untainted]

    assert untainted == ["system-nodes"]
    for pool in with_gpus:
        assert "nvidia.com/gpu" in {taint["key"] for taint in taints(pool)}


def taints(pool: Registration) -> list[dict[str, str]]:
    declared: list[dict[str, str]] = pool.inputs["nodeConfig"].get("taints") or []
    return declared


def test_the_cluster_does_not_wait_for_nat_and_every_pool_does(fleet: Recording) -> None:
    (cluster,) = fleet.of_type(CLUSTER)

    assert any("::network-nodes" in urn for urn in cluster.dependencies)
    assert not any("::network-nat" in urn for urn in cluster.dependencies)
    for pool in fleet.of_type(NODE_POOL):
        assert any("::network-nat" in urn for urn in pool.dependencies)


def test_the_operator_comes_when_the_system_pool_does_whatever_becomes_of_gpu_pools(
    fleet: Recording,
) -> None:
    (operator,) = (each for each in fleet.of_type(RELEASE) if each.name == "dask-release")
    pools = [urn for urn in operator.dependencies if NODE_POOL in urn]

    assert {urn.rpartition("::")[2] for urn in pools} == {"system-nodes"}


def test_no_gpu_node_is_made_before_its_drivers_installer_is_there(fleet: Recording) -> None:
    (installer,) = fleet.of_type(DAEMON_SET)
    pools = [each for each in fleet.of_type(NODE_POOL) if each.name != "system-nodes"]

    for pool in pools:
        assert any(urn.endswith(f"::{installer.name}") for urn in pool.dependencies)


def test_a_pool_is_replaced_by_its_namesake_only_once_it_is_gone(fleet: Recording) -> None:
    assert all(pool.deletes_before_replace for pool in fleet.of_type(NODE_POOL))


def test_a_fixed_pool_has_one_size_only(fleet: Recording) -> None:
    for pool in fleet.of_type(NODE_POOL):
        assert "nodeCount" in pool.inputs
        assert "initialNodeCount" not in pool.inputs
        assert "initialNodeCount" not in pool.ignore_changes


def test_disks_that_come_with_a_machine_are_no_reason_to_replace_its_pool(
    fleet: Recording,
) -> None:
    for pool in fleet.of_type(NODE_POOL):
        assert "nodeConfig.ephemeralStorageLocalSsdConfig" in pool.ignore_changes
        assert "nodeConfig.localNvmeSsdBlockConfig" in pool.ignore_changes


def test_an_autoscaled_pool_begins_at_its_minimum_and_is_never_replaced_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    autoscaling = {"min_nodes": 2, "max_nodes": 3}
    fleet = record({**SETTINGS, "system_pool": {"autoscaling": autoscaling}}, monkeypatch)
    (pool,) = (each for each in fleet.of_type(NODE_POOL) if each.name == "system-nodes")

    assert pool.inputs["initialNodeCount"] == 2
    assert "nodeCount" not in pool.inputs
    assert "initialNodeCount" in pool.ignore_changes


def test_no_node_ever_runs_as_the_projects_default_account(fleet: Recording) -> None:
    (cluster,) = fleet.of_type(CLUSTER)

    assert "serviceAccount" in cluster.inputs["nodeConfig"]
    assert cluster.ignore_changes == ("nodeConfig",)
    assert any("nodes-account" in urn for urn in cluster.dependencies)
    assert any("iAMMember" in urn for urn in cluster.dependencies)
    for pool in fleet.of_type(NODE_POOL):
        assert "serviceAccount" in pool.inputs["nodeConfig"]


def test_gpu_pools_upgrade_without_a_spare_gpu(fleet: Recording) -> None:
    gpu_pools = [
        pool
        for pool in fleet.of_type(NODE_POOL)
        if "guestAccelerators" in pool.inputs["nodeConfig"]
    ]

    assert len(gpu_pools) == 2
    for pool in gpu_pools:
        assert pool.inputs["upgradeSettings"]["maxSurge"] == 0
        assert pool.inputs["upgradeSettings"]["maxUnavailable"] == 1


def test_a_protected_cluster_protects_its_pools_too(
    fleet: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_fleet = record({**SETTINGS, "long_lived": False}, monkeypatch)

    assert all(each.is_protected for each in fleet.of_type(NODE_POOL) + fleet.of_type(CLUSTER))
    assert not any(each.is_protected for each in open_fleet.registrations)


def test_a_dask_cluster_waits_for_its_namespace_operator_driver_and_pools(
    fleet: Recording,
) -> None:
    clusters = fleet.of_type(DASK_CLUSTER)

    assert len(clusters) == 2
    for each in clusters:
        waits_for = " ".join(each.dependencies)
        namespace = each.name.removesuffix("-dask-cluster")
        assert f"{namespace}-gpu-quota" in waits_for
        assert f"{namespace}-operators-rights" in waits_for
        assert "dask-release" in waits_for
        assert "nvidia-driver-installer" in waits_for
        assert "a100-nodes" in waits_for


def test_definitions_come_before_the_operator_and_go_after_it(fleet: Recording) -> None:
    releases = {each.name: each for each in fleet.of_type(RELEASE)}

    assert any(urn.endswith("::dask-crds") for urn in releases["dask-release"].dependencies)
    assert releases["dask-release"].inputs["skipCrds"] is True


def test_the_operator_gives_the_charts_rights_up_once_it_has_the_programs(fleet: Recording) -> None:
    (release,) = (each for each in fleet.of_type(RELEASE) if each.name == "dask-release")
    waits_for = {urn.rpartition("::")[2] for urn in release.dependencies}

    assert release.inputs["values"]["rbac"] == {"create": False}
    assert waits_for >= {"operator-rights-watch", "operator-rights-team-role"}
    assert waits_for >= {"alpha-operators-rights", "beta-operators-rights"}


def test_the_stable_service_selects_only_what_the_gate_let_through(fleet: Recording) -> None:
    services = {each.name: each for each in fleet.of_type("kubernetes:core/v1:Service")}

    assert {gate["declared"].name for gate in fleet.gates} == {"alpha", "beta"}
    assert services["alpha-address"].inputs["spec"]["selector"] == {
        "dask.org/cluster-name": "alpha",
        "dask.org/component": "scheduler",
    }


def test_the_driver_is_ours_or_gkes_and_never_both(
    fleet: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_gke = {**SETTINGS, "driver": {"install": "gke", "channel": "LATEST"}}

    assert len(fleet.of_type(DAEMON_SET)) == 1
    assert record(by_gke, monkeypatch).of_type(DAEMON_SET) == []


def test_the_way_into_the_cluster_is_named_by_literals(fleet: Recording) -> None:
    (provider,) = fleet.of_type("pulumi:providers:kubernetes")

    assert provider.inputs["clusterIdentifier"] == "example-project/us-central1-c/rapids-gpu"


def test_the_way_into_the_cluster_can_be_read_without_the_key_of_the_state(
    fleet: Recording,
) -> None:
    (way_in,) = (
        outputs
        for urn, outputs in fleet.component_outputs.items()
        if "daskfleet:gke:KubernetesProvider::" in urn
    )
    kubeconfig = json.loads(way_in["kubeconfig"])  # no secret: that would be a structure

    assert kubeconfig["clusters"][0]["cluster"]["server"].startswith("https://")
    assert kubeconfig["users"][0]["user"].keys() == {"exec"}


def test_a_preview_loads_no_client_of_the_kubernetes_api() -> None:
    imports = [
        ast.unparse(node)
        for node in ast.parse(PROGRAM.read_text("utf-8")).body
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    text = "; ".join([*imports, "import sys; print({'kr8s', 'httpx'} & set(sys.modules))"])
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
