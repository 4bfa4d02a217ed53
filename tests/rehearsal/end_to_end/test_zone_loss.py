"""End to end: a pool in two zones loses one of them, and its team goes on in the other."""

from collections.abc import Mapping

import pytest
from kubernetes import config
from kubernetes.dynamic import DynamicClient

from manifests.dask_manifest import dask_cluster_manifest
from manifests.dask_worker_pod import worker_pod
from rehearsal.report.requests import Mark, google_writes, lines_since
from tests.components.fleets import alpha
from tests.rehearsal.end_to_end.as_declared import are_as_declared
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, Settings, team, work
from tests.rehearsal.end_to_end.waiting import until

pytestmark = pytest.mark.rehearsal

POOL = "a100-auto"
TEAM = "genomics"
STAYS, LOST = "us-central1-c", "us-central1-a"
"""The control plane is in the zone that stays: the cluster is a zonal one."""

OUT_OF_STOCK = {"kind": "stockout", "pool": ".*", "zone": LOST, "times": 10_000}


def test_the_api_server_takes_the_preference_for_a_zone_as_a_whole(
    fleet: RunningRehearsal,
) -> None:
    """What a schema does not know is pruned, or refused; the rehearsal's operator is not asked."""
    plan = alpha(prefer_one_zone=True)
    affinity = worker_pod(plan, plan.first_group)["affinity"]
    client = DynamicClient(config.new_client_from_config(str(fleet.cluster.kubeconfig)))
    cluster = dask_cluster_manifest(plan, name="zones")
    cluster["metadata"]["namespace"] = "climate"
    taken = client.resources.get(api_version=cluster["apiVersion"], kind="DaskCluster").create(
        body=cluster, namespace="climate", dry_run="All"
    )
    assert taken.to_dict()["spec"]["worker"]["spec"]["affinity"] == affinity

    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "zones"},
        "spec": {"containers": [{"name": "any", "image": "any:1"}], "affinity": affinity},
    }
    taken = client.resources.get(api_version="v1", kind="Pod").create(
        body=pod, namespace="default", dry_run="All"
    )
    assert taken.to_dict()["spec"]["affinity"] == affinity


def test_a_team_whose_pool_loses_a_zone_has_all_its_workers_in_the_other_one(
    fleet: RunningRehearsal,
) -> None:
    settings = in_two_zones(fleet.settings())
    others = {pod.uid for pod in fleet.see().pods if pod.team and pod.team != TEAM}
    before = set(fleet.dask_pods(TEAM))
    requests = Mark.now(fleet.workspace.request_log)

    fleet.up(settings)

    written = google_writes(lines_since(requests))
    assert not any(each.startswith(("POST", "DELETE")) for each in written), written
    assert before <= set(fleet.dask_pods(TEAM))  # a zone more takes nothing away
    assert set(zones_of_nodes(fleet).values()) == {STAYS, LOST}

    try:
        fleet.inject(OUT_OF_STOCK)
        fleet.happen(kind="zone-loss", zone=LOST)
        until(
            lambda: (
                are_as_declared(fleet.see().pods, settings)
                and list(zones_of_nodes(fleet).values()) == [STAYS, STAYS]
            ),
            otherwise=lambda: (zones_of_nodes(fleet), fleet.see().pods),
        )
        assert work(fleet.run("up", "--yes", "--skip-preview")) == {}
    finally:
        fleet.inject()
    assert others <= {pod.uid for pod in fleet.see().pods}


def in_two_zones(settings: Settings) -> Settings:
    """Two workers on a pool that may have two nodes, wherever there are any."""
    (pool,) = (each for each in settings["daskfleet:worker_pools"] if each["name"] == POOL)
    pool["zones"] = [STAYS, LOST]
    team(settings, TEAM)["workers"] = 2
    return settings


def zones_of_nodes(fleet: RunningRehearsal) -> Mapping[str, str]:
    """The zone of each of the pool's nodes."""
    nodes = (node for node in fleet.see().nodes.values() if node.pool == POOL)
    return {node.name: node.labels["topology.kubernetes.io/zone"] for node in nodes}
