"""Rehearsal tier: the gcp stand-in under the real Pulumi engine, from first preview to destroy."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pulumi
import pulumi_gcp as gcp
import pytest
from pulumi import ResourceOptions, automation

from rehearsal.emulator import Emulator, ErrorAnswer, Stockout
from rehearsal.providers.install import install_plugins
from rehearsal.toolchain import Binaries
from tests.rehearsal.providers.gcp.conftest import PROJECT, endpoints

pytestmark = pytest.mark.rehearsal

ZONE = "us-central1-c"
RESOURCES = 11
"""The stack itself, the provider, and nine resources."""


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What the program under test asks for."""

    node_count: int = 2
    driver: str = "INSTALLATION_DISABLED"
    channel: str = "STABLE"
    deletion_protection: bool = False


def program(wishes: Wishes) -> Callable[[], None]:
    """Every resource type that the project uses, wired as the project wires them."""

    def run() -> None:
        provider = gcp.Provider("google", project=PROJECT, add_pulumi_attribution_label=False)
        options = ResourceOptions(provider=provider)
        vpc = gcp.compute.Network("vpc", name="rapids", auto_create_subnetworks=False, opts=options)
        subnet = _subnetwork(vpc, options)
        router = gcp.compute.Router(
            "router", name="rapids", network=vpc.id, region="us-central1", opts=options
        )
        gcp.compute.RouterNat(
            "nat",
            name="rapids",
            router=router.name,
            region="us-central1",
            nat_ip_allocate_option="AUTO_ONLY",
            source_subnetwork_ip_ranges_to_nat="ALL_SUBNETWORKS_ALL_IP_RANGES",
            opts=options,
        )
        account = gcp.serviceaccount.Account("account", account_id="rapids-nodes", opts=options)
        gcp.projects.IAMMember(
            "grant",
            project=PROJECT,
            role="roles/container.defaultNodeServiceAccount",
            member=account.member,
            opts=options,
        )
        cluster = _cluster(wishes, vpc, subnet, options)
        nodes = {"service_account": account.email}
        machine = {**nodes, "machine_type": "e2-standard-4"}
        _pool("system", machine, size=1, cluster=cluster, options=options)
        gpus = {
            "type": "nvidia-tesla-a100",
            "count": 2,
            "gpu_driver_installation_config": {"gpu_driver_version": wishes.driver},
        }
        machine = {**nodes, "machine_type": "a2-highgpu-2g", "guest_accelerators": [gpus]}
        _pool("a100", machine, size=wishes.node_count, cluster=cluster, options=options)
        pulumi.export("endpoint", cluster.endpoint)
        pulumi.export("ca", cluster.master_auth.cluster_ca_certificate)

    return run


def _subnetwork(vpc: gcp.compute.Network, options: ResourceOptions) -> gcp.compute.Subnetwork:
    return gcp.compute.Subnetwork(
        "subnet",
        name="rapids",
        network=vpc.id,
        region="us-central1",
        ip_cidr_range="10.0.0.0/20",
        secondary_ip_ranges=[
            {"range_name": "pods", "ip_cidr_range": "10.4.0.0/14"},
            {"range_name": "services", "ip_cidr_range": "10.8.0.0/20"},
        ],
        opts=options,
    )


def _cluster(
    wishes: Wishes,
    vpc: gcp.compute.Network,
    subnet: gcp.compute.Subnetwork,
    options: ResourceOptions,
) -> gcp.container.Cluster:
    return gcp.container.Cluster(
        "cluster",
        name="rapids-gpu",
        location=ZONE,
        network=vpc.id,
        subnetwork=subnet.id,
        ip_allocation_policy={
            "cluster_secondary_range_name": "pods",
            "services_secondary_range_name": "services",
        },
        remove_default_node_pool=True,
        initial_node_count=1,
        release_channel={"channel": wishes.channel},
        deletion_protection=wishes.deletion_protection,
        opts=options,
    )


def _pool(
    name: str,
    machine: dict[str, Any],
    *,
    size: int,
    cluster: gcp.container.Cluster,
    options: ResourceOptions,
) -> None:
    gcp.container.NodePool(
        name,
        name=name,
        cluster=cluster.name,
        location=ZONE,
        node_count=size,
        node_config=machine,
        opts=options,
    )


@pytest.fixture
def stack(
    tmp_path: Path, binaries: Binaries, emulator: Emulator, monkeypatch: pytest.MonkeyPatch
) -> automation.Stack:
    """A stack of its own on an emulator of its own; both end with the test, state and all."""
    home = tmp_path / "a home with spaces"
    install_plugins(
        pulumi_home=home,
        choice="stand-in",
        user_pulumi_home=tmp_path / "nobody",
        pulumi=binaries.pulumi,
        progress=print,
    )
    path = os.pathsep.join([str(binaries.pulumi.parent), os.environ["PATH"]])
    monkeypatch.setenv("PATH", path)
    (tmp_path / "state").mkdir()
    return automation.create_stack(
        "test",
        project_name="gcp-engine-test",
        program=program(Wishes()),
        opts=automation.LocalWorkspaceOptions(
            work_dir=str(tmp_path),
            pulumi_home=str(home),
            env_vars={
                **endpoints(emulator.base_url),
                "PATH": path,
                "PULUMI_BACKEND_URL": f"file://{tmp_path / 'state'}",
                "PULUMI_CONFIG_PASSPHRASE": "",
                "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "1",
                "PULUMI_SKIP_UPDATE_CHECK": "1",
            },
        ),
    )


def want(stack: automation.Stack, wishes: Wishes) -> None:
    """Change the program."""
    stack.workspace.program = program(wishes)


def changes(result: automation.UpResult | automation.RefreshResult) -> dict[str, int]:
    """Count the resources that changed, by operation."""
    counted = result.summary.resource_changes or {}
    return {str(operation): count for operation, count in counted.items() if operation != "same"}


def writes(emulator: Emulator) -> list[str]:
    """List the changes that the emulator was asked for."""
    return [
        f"{request.method} {request.path.rpartition('/')[2]}"
        for request in emulator.log.read()
        if request.mutating
    ]


def test_a_stack_lives_from_preview_to_destroy(stack: automation.Stack, emulator: Emulator) -> None:
    assert stack.preview().change_summary == {"create": RESOURCES}
    assert writes(emulator) == []
    made = stack.up()
    assert changes(made) == {"create": RESOURCES}
    assert made.outputs["endpoint"].value == "192.0.2.1"
    assert made.outputs["ca"].value

    written = writes(emulator)
    assert changes(stack.up(expect_no_changes=True)) == {}
    assert changes(stack.refresh(expect_no_changes=True)) == {}
    assert stack.preview(expect_no_changes=True).change_summary == {"same": RESOURCES}
    assert writes(emulator) == written

    want(stack, Wishes(node_count=3))
    assert changes(stack.up()) == {"update": 1}
    assert writes(emulator)[len(written) :] == ["POST a100:setSize"]

    written = writes(emulator)
    want(stack, Wishes(node_count=3, driver="LATEST"))
    assert changes(stack.up()) == {"replace": 1}
    assert writes(emulator)[len(written) :] == ["DELETE a100", "POST nodePools"]

    stack.destroy()
    project = emulator.world.project(PROJECT)
    assert not project.clusters
    assert not project.compute
    assert not project.service_accounts
    assert project.policy["bindings"] == []


def test_an_update_that_broke_in_the_middle_goes_on_where_it_stopped(
    stack: automation.Stack, emulator: Emulator
) -> None:
    message = "Insufficient regional quota to satisfy request"
    emulator.faults.add(
        ErrorAnswer(method="POST", path="/nodePools$", code=403, message=message, times=2)
    )
    with pytest.raises(automation.CommandError, match=message):
        stack.up()
    assert changes(stack.up()) == {"create": 2}
    assert stack.preview(expect_no_changes=True).change_summary == {"same": RESOURCES}


def test_a_stocked_out_pool_is_in_the_state_and_every_update_looks_at_it_again(
    stack: automation.Stack, emulator: Emulator
) -> None:
    emulator.faults.add(Stockout(pool="a100", times=10_000))
    with pytest.raises(automation.CommandError, match="error state RUNNING_WITH_ERROR"):
        stack.up()
    deployment = stack.export_stack().deployment or {}
    urns = [resource["urn"] for resource in deployment["resources"]]
    assert any(urn.endswith("NodePool::a100") for urn in urns)
    with pytest.raises(automation.CommandError, match="error state RUNNING_WITH_ERROR"):
        stack.up()
    emulator.faults.replace_from_json(b"[]")
    want(stack, Wishes(node_count=1))
    assert changes(stack.up()) == {"update": 1}
    assert stack.preview(expect_no_changes=True).change_summary == {"same": RESOURCES}


def test_deletion_protection_holds_until_it_was_taken_off_by_an_update(
    stack: automation.Stack,
) -> None:
    protected = Wishes(deletion_protection=True)
    want(stack, protected)
    stack.up()
    with pytest.raises(automation.CommandError, match="deletion_protection is set to true"):
        stack.destroy()
    want(stack, replace(protected, deletion_protection=False))
    stack.up()
    stack.destroy()
