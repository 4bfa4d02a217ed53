"""Google's own clients on the emulator; ``test_google_clients`` runs it in its own process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from google.api_core.exceptions import Conflict, MethodNotImplemented, NotFound
from google.auth.credentials import AnonymousCredentials
from google.cloud import container_v1, container_v1beta1
from google.cloud.container_v1.services.cluster_manager.transports.rest import (
    ClusterManagerRestTransport,
)
from google.protobuf.json_format import MessageToDict
from googleapiclient.errors import HttpError

from rehearsal.emulator import discovery
from rehearsal.emulator.proto3 import enum_names, has_presence
from tests.rehearsal.emulator.google_api import api_client, emulator

if TYPE_CHECKING:
    from rehearsal.emulator import Emulator

__all__ = ["emulator"]  # a fixture

PARENT = "projects/acme/locations/us-central1-c"
CLUSTER = f"{PARENT}/clusters/rapids"
POOL = f"{CLUSTER}/nodePools/a100"


def cloud_client(emulator: Emulator) -> container_v1.ClusterManagerClient:
    transport = ClusterManagerRestTransport(
        host=emulator.base_url.removeprefix("http://"),
        credentials=AnonymousCredentials(),  # type: ignore[no-untyped-call]
        url_scheme="http",
    )
    return container_v1.ClusterManagerClient(transport=transport)


def a100_pool() -> container_v1.NodePool:
    return container_v1.NodePool(
        name="a100",
        initial_node_count=1,
        config=container_v1.NodeConfig(
            machine_type="a2-highgpu-2g",
            accelerators=[
                container_v1.AcceleratorConfig(
                    accelerator_count=2, accelerator_type="nvidia-tesla-a100"
                )
            ],
            taints=[
                container_v1.NodeTaint(
                    key="team", value="a", effect=container_v1.NodeTaint.Effect.NO_SCHEDULE
                )
            ],
        ),
    )


def test_google_cloud_container_creates_resizes_lists_and_deletes(emulator: Emulator) -> None:
    client = cloud_client(emulator)
    stable = container_v1.ReleaseChannel(channel=container_v1.ReleaseChannel.Channel.STABLE)
    cluster = container_v1.Cluster(name="rapids", initial_node_count=1, release_channel=stable)
    operation = client.create_cluster(parent=PARENT, cluster=cluster)
    assert operation.status == container_v1.Operation.Status.DONE
    assert client.create_node_pool(parent=CLUSTER, node_pool=a100_pool()).status_message == ""
    client.set_node_pool_size(request=container_v1.SetNodePoolSizeRequest(name=POOL, node_count=3))

    seen = client.get_cluster(name=CLUSTER)
    assert seen.status == container_v1.Cluster.Status.RUNNING
    assert seen.release_channel == stable
    assert seen.current_node_count == 4
    pools = client.list_node_pools(parent=CLUSTER).node_pools
    assert [pool.name for pool in pools] == ["default-pool", "a100"]
    assert {taint.key for taint in pools[1].config.taints} == {"team", "nvidia.com/gpu"}

    client.delete_node_pool(name=POOL)
    client.delete_cluster(name=CLUSTER)
    assert list(client.list_clusters(parent=PARENT).clusters) == []


def test_google_cloud_container_raises_its_own_exceptions(emulator: Emulator) -> None:
    client = cloud_client(emulator)
    with pytest.raises(NotFound, match="clusters/rapids"):
        client.get_cluster(name=CLUSTER)
    cluster = container_v1.Cluster(name="rapids", initial_node_count=1)
    client.create_cluster(parent=PARENT, cluster=cluster)
    with pytest.raises(Conflict, match="Already exists"):
        client.create_cluster(parent=PARENT, cluster=cluster)


def facts_of_proto3(
    library: Any, version: str
) -> tuple[set[tuple[str, str]], dict[tuple[str, str], dict[int, str]]]:
    """Return which documented fields have presence, and the enums that are not numbered in order.

    By schema and field; only fields that a client writes, and that are no messages, count.
    """
    schemas = discovery.load("container", version).schemas
    names = {name.lower(): name for name in schemas}
    presence: set[tuple[str, str]] = set()
    numbers: dict[tuple[str, str], dict[int, str]] = {}
    waiting = [getattr(library, name).pb().DESCRIPTOR for name in ("Cluster", "ClusterUpdate")]
    seen = set()
    while waiting:
        message = waiting.pop()
        if message.full_name in seen:
            continue
        seen.add(message.full_name)
        schema = names.get(message.name.lower(), "")
        documented = schemas.get(schema, {}).get("properties", {})
        for field in message.fields:
            kind = field.message_type
            is_wrapper = kind is not None and kind.full_name.startswith("google.protobuf.")
            if kind is not None and not is_wrapper:
                waiting.append(kind)
                continue
            rest = documented.get(field.json_name)
            if rest is None or rest.get("readOnly"):
                continue
            if is_wrapper or field.has_presence:
                presence.add((schema, field.json_name))
            listed = rest.get("items", rest).get("enum")
            if field.enum_type is not None and listed:
                values = {value.number: value.name for value in field.enum_type.values}
                if any(dict(enumerate(listed)).get(n) != name for n, name in values.items()):
                    numbers[schema, field.json_name] = values
    return presence, numbers


@pytest.mark.parametrize(
    ("library", "version"), [(container_v1, "v1"), (container_v1beta1, "v1beta1")]
)
def test_what_the_emulator_knows_of_proto3_is_what_googles_library_has(
    library: Any, version: str
) -> None:
    presence, numbers = facts_of_proto3(library, version)
    assert len(presence) > 50
    assert {each for each in presence if not has_presence(*each)} == set()
    for each, names in numbers.items():
        assert names.items() <= (enum_names(*each) or {}).items(), each


@pytest.mark.parametrize(
    ("library", "version"), [(container_v1, "v1"), (container_v1beta1, "v1beta1")]
)
def test_an_answer_has_the_fields_that_googles_library_would_send(
    emulator: Emulator, library: Any, version: str
) -> None:
    cluster = {
        "name": "rapids",
        "autopilot": {"enabled": False},
        "locations": ["us-central1-a", "us-central1-c"],
        "maintenancePolicy": {
            "window": {
                "maintenanceExclusions": {
                    "holidays": {
                        "startTime": "2026-12-24T00:00:00Z",
                        "endTime": "2026-12-27T00:00:00Z",
                        "maintenanceExclusionOptions": {"scope": "NO_UPGRADES"},
                    }
                }
            }
        },
        "nodePools": [
            {"name": "none", "initialNodeCount": 0, "config": {"spot": False, "tags": []}},
            {"name": "one", "initialNodeCount": 1, "management": {"autoUpgrade": True}},
        ],
        "releaseChannel": {"channel": "UNSPECIFIED"},
        "resourceLabels": {},
        "shieldedNodes": {"enabled": False},
    }
    url = f"{emulator.base_url}/container/{version}/{PARENT}/clusters"
    made = httpx.post(url, json={"cluster": cluster})
    shown = httpx.get(f"{url}/rapids")
    for answer, message in ((made, library.Operation), (shown, library.Cluster)):
        sent = answer.raise_for_status().json()
        for pool in sent.get("nodePools", []):
            del pool["kubeletCertInfo"]  # which is younger than the library
        parsed = message.pb(message.from_json(json.dumps(sent)))
        assert MessageToDict(parsed) == sent
    assert shown.json()["shieldedNodes"] == {}
    assert "currentNodeCount" in shown.json()
    assert "initialNodeCount" not in shown.json()["nodePools"][0]


@pytest.mark.parametrize("version", ["v1", "v1beta1"])
def test_google_api_python_client_creates_resizes_lists_and_deletes(
    emulator: Emulator, version: str
) -> None:
    api = api_client(emulator, name="container", version=version, base="")
    clusters = api.projects().locations().clusters()
    pools = clusters.nodePools()
    body = {"cluster": {"name": "rapids", "initialNodeCount": 1}}
    assert clusters.create(parent=PARENT, body=body).execute()["status"] == "DONE"
    pool = {"name": "cpu", "initialNodeCount": 1, "config": {"machineType": "e2-standard-4"}}
    pools.create(parent=CLUSTER, body={"nodePool": pool}).execute()
    pools.setSize(name=f"{CLUSTER}/nodePools/cpu", body={"nodeCount": 2}).execute()
    assert clusters.get(name=CLUSTER).execute()["currentNodeCount"] == 3
    compute = api_client(emulator, name="compute", version="v1", base="/compute/v1/")
    groups = compute.instanceGroupManagers().list(project="acme", zone="us-central1-c").execute()
    assert sorted(group["targetSize"] for group in groups["items"]) == [1, 2]
    pools.delete(name=f"{CLUSTER}/nodePools/cpu").execute()
    clusters.delete(name=CLUSTER).execute()
    with pytest.raises(HttpError, match="Not found: projects/acme/zones/us-central1-c"):
        clusters.get(name=CLUSTER).execute()


def test_google_cloud_container_sets_what_a_cluster_and_a_pool_have(emulator: Emulator) -> None:
    client = cloud_client(emulator)
    cluster = container_v1.Cluster(name="rapids", initial_node_count=1)
    client.create_cluster(parent=PARENT, cluster=cluster)
    client.set_locations(request={"name": CLUSTER, "locations": ["us-central1-a", "us-central1-c"]})
    client.set_logging_service(request={"name": CLUSTER, "logging_service": "none"})
    client.set_addons_config(
        request={"name": CLUSTER, "addons_config": {"horizontal_pod_autoscaling": {}}}
    )
    client.set_network_policy(request={"name": CLUSTER, "network_policy": {"enabled": True}})
    client.update_master(request={"name": CLUSTER, "master_version": "latest"})
    seen = client.get_cluster(name=CLUSTER)
    assert list(seen.locations) == ["us-central1-a", "us-central1-c"]
    assert (seen.logging_service, seen.network_policy.enabled) == ("none", True)

    strategy = container_v1.NodePoolUpdateStrategy.BLUE_GREEN
    pool = container_v1.NodePool(
        name="blue",
        initial_node_count=1,
        locations=["us-central1-c"],
        config=container_v1.NodeConfig(machine_type="n2-standard-4"),
        placement_policy={"type_": container_v1.NodePool.PlacementPolicy.Type.COMPACT},
        upgrade_settings={"strategy": strategy},
    )
    client.create_node_pool(parent=CLUSTER, node_pool=pool)
    path = f"{CLUSTER}/nodePools/blue"
    client.update_node_pool(request={"name": path, "image_type": "UBUNTU_CONTAINERD"})
    shown = client.get_node_pool(name=path)
    assert shown.config.image_type == "UBUNTU_CONTAINERD"
    assert shown.upgrade_settings.strategy == strategy
    rollout = shown.upgrade_settings.blue_green_settings.standard_rollout_policy
    assert rollout.batch_node_count == 1
    queued = container_v1.NodePool(name="q", queued_provisioning={"enabled": True})
    client.create_node_pool(parent=CLUSTER, node_pool=queued)
    assert client.get_node_pool(name=f"{CLUSTER}/nodePools/q").queued_provisioning.enabled
    eager = container_v1.NodePool(name="e", best_effort_provisioning={"enabled": True})
    with pytest.raises(MethodNotImplemented, match=r"nodePool\.bestEffortProvisioning"):
        client.create_node_pool(parent=CLUSTER, node_pool=eager)
