"""Every resource type on the emulator: create, read, import, change, delete. Tier: loopback."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from rehearsal.providers.gcp.google_api import GoogleApi
from rehearsal.providers.protocol import UNKNOWN, Call, Properties, ProviderError, State
from tests.rehearsal.providers.calls import engine_call
from tests.rehearsal.providers.gcp.conftest import PROJECT, StandIn
from tests.rehearsal.providers.gcp.fleet import (
    ACCOUNT,
    BUCKET,
    CLUSTER,
    CLUSTER_ID,
    FLEET,
    MEMBER,
    NAT,
    NETWORK,
    NETWORK_ID,
    POOL,
    ROUTER,
    SUBNETWORK,
    cluster,
    create_fleet,
    pool,
    pool_config,
)

IDS = {
    NETWORK: NETWORK_ID,
    SUBNETWORK: f"projects/{PROJECT}/regions/us-central1/subnetworks/rapids-nodes",
    ROUTER: f"projects/{PROJECT}/regions/us-central1/routers/rapids-router",
    NAT: f"{PROJECT}/us-central1/rapids-router/rapids-nat",
    ACCOUNT: f"projects/{PROJECT}/serviceAccounts/rapids-nodes@{PROJECT}.iam.gserviceaccount.com",
    MEMBER: f"{PROJECT}/{FLEET[MEMBER]['role']}/{FLEET[MEMBER]['member']}",
    CLUSTER: CLUSTER_ID,
    BUCKET: f"b/team-data/{FLEET[BUCKET]['role']}/{FLEET[BUCKET]['member']}",
    POOL: f"{CLUSTER_ID}/nodePools/a100",
}
POOL_PATH = "locations/us-central1-c/clusters/rapids-gpu/nodePools/a100"
CLUSTER_PATH = "locations/us-central1-c/clusters/rapids-gpu"


def test_the_whole_fleet_comes_up_reads_back_unchanged_and_goes_without_a_trace(
    stand_in: StandIn,
) -> None:
    states = create_fleet(stand_in)
    assert {token: state.id for token, state in states.items()} == IDS
    for token, state in states.items():
        read = stand_in.type(token).read(stored=state, call=engine_call())
        assert read is not None
        assert (read.id, read.inputs, known_at_once(read)) == (
            state.id,
            state.inputs,
            known_at_once(state),
        )
    for token, state in reversed(states.items()):
        stand_in.delete(token, state)
        assert stand_in.type(token).read(stored=state, call=engine_call()) is None
    project = stand_in.emulator.world.project(PROJECT)
    assert not project.clusters
    assert not project.compute
    assert not project.service_accounts
    assert project.policy["bindings"] == []
    assert FLEET[BUCKET]["role"] not in bucket_roles(stand_in)


def bucket_roles(stand_in: StandIn) -> set[str]:
    """Roles that the policy of the fleet's bucket gives to anybody."""
    return {each["role"] for each in stand_in.emulator.world.bucket_policy("team-data")}


def known_at_once(state: State) -> Properties:
    """A resource's outputs, less the pools of a cluster, which come after it."""
    return {name: value for name, value in state.outputs.items() if name != "nodePools"}


def test_a_cluster_that_is_read_names_its_pools(stand_in: StandIn) -> None:
    cluster = create_fleet(stand_in)[CLUSTER]
    read = stand_in.type(CLUSTER).read(stored=cluster, call=engine_call())
    assert read is not None
    assert [pool["name"] for pool in read.outputs["nodePools"]] == ["a100"]


def test_a_pool_whose_instance_group_is_gone_has_no_nodes(
    stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = create_fleet(stand_in)[POOL]
    asked = GoogleApi.get

    def without_groups(
        api: GoogleApi, service: str, path: str, *, call: Call
    ) -> dict[str, Any] | None:
        return None if service == "compute" else asked(api, service, path, call=call)

    monkeypatch.setattr(GoogleApi, "get", without_groups)
    read = stand_in.type(POOL).read(stored=pool, call=engine_call())
    assert read is not None
    assert read.outputs["nodeCount"] == 0


def test_an_import_by_id_shows_no_difference_to_the_program(stand_in: StandIn) -> None:
    for token, state in create_fleet(stand_in).items():
        found = stand_in.type(token).read(stored=State(state.id, {}, {}), call=engine_call())
        assert found is not None
        inputs = stand_in.check(token, FLEET[token])
        diff = stand_in.type(token).diff(old=found, inputs=inputs)
        allowed = {("removeDefaultNodePool",), ("initialNodeCount",), ("deletionProtection",)}
        assert set(diff.changes) <= allowed, token


def test_the_cluster_tells_what_a_kubeconfig_needs(stand_in: StandIn) -> None:
    outputs = create_fleet(stand_in, until=CLUSTER)[CLUSTER].outputs
    assert outputs["endpoint"] == "192.0.2.1"
    assert outputs["masterAuth"]["clusterCaCertificate"]
    assert outputs["controlPlaneEndpointsConfig"]["dnsEndpointConfig"]["endpoint"]
    assert outputs["masterVersion"]
    assert outputs["name"] == "rapids-gpu"


def test_the_default_pool_is_removed_right_after_the_cluster_was_created(
    stand_in: StandIn,
) -> None:
    create_fleet(stand_in, until=CLUSTER)
    assert stand_in.writes()[-2:] == [
        "POST locations/us-central1-c/clusters",
        f"DELETE {CLUSTER_PATH}/nodePools/default-pool",
    ]


@pytest.mark.parametrize(
    ("changed", "writes"),
    [
        (pool(nodeCount=3), [f"POST {POOL_PATH}:setSize"]),
        (pool_config(labels={"pool": "b"}), [f"PUT {POOL_PATH}"]),
        (pool_config(diskSizeGb=300, machineType="a2-highgpu-2g"), [f"PUT {POOL_PATH}"]),
        (pool_config(labels={"pool": "b"}, tags=["t"]), [f"PUT {POOL_PATH}"] * 2),
        (pool_config(imageType="UBUNTU_CONTAINERD"), [f"PUT {CLUSTER_PATH}"]),
        (pool_config(gcfsConfig={"enabled": True}), [f"PUT {POOL_PATH}"]),
        (
            pool(nodeCount=None, autoscaling={"minNodeCount": 0, "maxNodeCount": 3}),
            [f"PUT {CLUSTER_PATH}"],
        ),
        (
            pool(upgradeSettings={"strategy": "SURGE", "maxSurge": 1, "maxUnavailable": 0}),
            [f"PUT {POOL_PATH}"],
        ),
    ],
    ids=["size", "label", "disk", "two groups", "image", "streaming", "autoscaling", "upgrades"],
)
def test_a_pool_changes_by_the_requests_that_the_real_provider_sends(
    stand_in: StandIn, changed: dict[str, object], writes: list[str]
) -> None:
    old = create_fleet(stand_in)[POOL]
    before = len(stand_in.writes())
    new = stand_in.update(POOL, old, changed)
    assert stand_in.writes()[before:] == writes
    assert stand_in.type(POOL).read(stored=new, call=engine_call()) == new


def test_an_import_of_a_pool_takes_the_reservation_that_it_names(stand_in: StandIn) -> None:
    create_fleet(stand_in, until=CLUSTER)
    inputs = pool_config(reservationAffinity={"consumeReservationType": "NO_RESERVATION"})
    made = stand_in.create(POOL, inputs)
    known = State(made.id, {}, {})
    imported = stand_in.type(POOL).read(stored=known, call=engine_call())
    assert imported
    wanted = stand_in.check(POOL, inputs)

    assert not stand_in.type(POOL).diff(old=imported, inputs=wanted).changes
    assert stand_in.type(POOL).diff(old=imported, inputs=stand_in.check(POOL, FLEET[POOL])).replaces


@pytest.mark.parametrize(
    "inputs",
    [
        pool(
            nodeCount=None,
            nodeLocations=["us-central1-a", "us-central1-b"],
            autoscaling={"totalMinNodeCount": 1, "totalMaxNodeCount": 4, "locationPolicy": "ANY"},
        ),
        pool_config(gcfsConfig={"enabled": True}),
        pool_config(linuxNodeConfig={"sysctls": {"net.core.somaxconn": "4096"}}),
    ],
    ids=["bounds of all zones", "streaming", "sysctls"],
)
def test_an_import_of_a_pool_takes_what_it_was_made_with(
    stand_in: StandIn, inputs: dict[str, object]
) -> None:
    create_fleet(stand_in, until=CLUSTER)
    made = stand_in.create(POOL, inputs)
    imported = stand_in.type(POOL).read(stored=State(made.id, {}, {}), call=engine_call())
    assert imported

    assert not stand_in.type(POOL).diff(old=imported, inputs=stand_in.check(POOL, inputs)).changes


def test_image_streaming_that_is_no_longer_spoken_of_stays_until_it_is_switched_off(
    stand_in: StandIn,
) -> None:
    old = create_fleet(stand_in)[POOL]
    on = stand_in.update(POOL, old, pool_config(gcfsConfig={"enabled": True}))
    silent = stand_in.check(POOL, FLEET[POOL])
    off = stand_in.check(POOL, pool_config(gcfsConfig={"enabled": False}))

    assert not stand_in.type(POOL).diff(old=on, inputs=silent).changes
    assert not stand_in.type(POOL).diff(old=on, inputs=off).replaces
    assert stand_in.type(POOL).diff(old=on, inputs=off).changes


def test_monitoring_that_is_no_longer_spoken_of_stays_as_it_was(stand_in: StandIn) -> None:
    old = create_fleet(stand_in, until=CLUSTER)[CLUSTER]
    managed = cluster(monitoringConfig={"managedPrometheus": {"enabled": False}})
    before = len(stand_in.writes())
    off = stand_in.update(CLUSTER, old, managed)
    silent = stand_in.check(CLUSTER, FLEET[CLUSTER])

    assert stand_in.writes()[before:] == [f"PUT {CLUSTER_PATH}"]
    assert not stand_in.type(CLUSTER).diff(old=off, inputs=silent).changes


@pytest.mark.parametrize(
    ("changed", "writes"),
    [
        (cluster(releaseChannel={"channel": "REGULAR"}), [f"PUT {CLUSTER_PATH}"]),
        (cluster(resourceLabels={"a": "b"}), [f"POST {CLUSTER_PATH}:setResourceLabels"]),
        (cluster(maintenancePolicy=None), [f"POST {CLUSTER_PATH}:setMaintenancePolicy"]),
        (cluster(deletionProtection=True), []),
    ],
    ids=["channel", "labels", "maintenance", "protection"],
)
def test_a_cluster_changes_by_the_requests_that_the_real_provider_sends(
    stand_in: StandIn, changed: dict[str, object], writes: list[str]
) -> None:
    old = create_fleet(stand_in, until=CLUSTER)[CLUSTER]
    before = len(stand_in.writes())
    new = stand_in.update(CLUSTER, old, changed)
    assert stand_in.writes()[before:] == writes
    assert stand_in.type(CLUSTER).read(stored=new, call=engine_call()) == new


def test_a_change_in_place_that_is_not_served_is_refused_by_name(stand_in: StandIn) -> None:
    old = create_fleet(stand_in, until=CLUSTER)[CLUSTER]
    with pytest.raises(ProviderError, match="changing nodeVersion of gcp:container/cluster"):
        stand_in.update(CLUSTER, old, cluster(nodeVersion="1.35.1-gke.1396002"))


def test_a_subnetwork_grows_in_place(stand_in: StandIn) -> None:
    old = create_fleet(stand_in, until=SUBNETWORK)[SUBNETWORK]
    new = stand_in.update(SUBNETWORK, old, {**FLEET[SUBNETWORK], "ipCidrRange": "10.0.0.0/19"})
    assert stand_in.type(SUBNETWORK).read(stored=new, call=engine_call()) == new


def test_a_preview_asks_nothing_and_keeps_computed_values_of_an_update(
    stand_in: StandIn,
) -> None:
    old = create_fleet(stand_in, until=CLUSTER)[CLUSTER]
    before = len(stand_in.writes())
    preview = engine_call()
    object.__setattr__(preview, "preview", True)
    inputs = stand_in.check(CLUSTER, cluster(releaseChannel={"channel": "RAPID"}))
    planned = stand_in.type(CLUSTER).update(old=old, inputs=inputs, call=preview)
    created = stand_in.type(POOL).create(inputs=FLEET[POOL], call=preview)
    assert planned.outputs["endpoint"] == old.outputs["endpoint"]
    assert planned.outputs["controlPlaneEndpointsConfig"]["dnsEndpointConfig"]["endpoint"]
    assert created.outputs["instanceGroupUrls"] is UNKNOWN
    assert len(stand_in.writes()) == before


def test_members_written_at_the_same_time_all_stay(stand_in: StandIn) -> None:
    roles = [f"roles/test.role{number}" for number in range(8)]
    member = "user:someone@example.com"
    inputs = [{"project": PROJECT, "role": role, "member": member} for role in roles]
    with ThreadPoolExecutor() as threads:
        list(threads.map(lambda item: stand_in.create(MEMBER, item), inputs))
    bindings = stand_in.emulator.world.project(PROJECT).policy["bindings"]
    assert sorted(binding["role"] for binding in bindings) == roles


def test_a_grant_on_a_bucket_leaves_what_others_wrote_into_its_policy(stand_in: StandIn) -> None:
    other = {**FLEET[BUCKET], "member": "user:someone@example.com"}
    before = bucket_roles(stand_in)
    states = [create_fleet(stand_in, until=BUCKET)[BUCKET], stand_in.create(BUCKET, other)]
    stand_in.delete(BUCKET, states[0])
    (binding,) = (
        each
        for each in stand_in.emulator.world.bucket_policy("team-data")
        if each["role"] == other["role"]
    )
    assert binding["members"] == [other["member"]]
    assert bucket_roles(stand_in) == before | {other["role"]}


def test_a_bucket_may_be_named_as_in_the_providers_id(stand_in: StandIn) -> None:
    state = stand_in.create(
        BUCKET, {**FLEET[BUCKET], "bucket": "b/team-data", "member": "user:someone@example.com"}
    )
    assert state.id == "b/team-data/roles/storage.objectUser/user:someone@example.com"


@pytest.mark.parametrize(
    "wrong", ["team-data/roles/x/user:a@b.c", "b/team-data/user:a@b.c", "b//roles/x/user:a@b.c"]
)
def test_an_import_of_a_grant_by_an_ill_formed_id_is_refused(stand_in: StandIn, wrong: str) -> None:
    with pytest.raises(ProviderError, match="does not have the form owner/roles/role/member"):
        stand_in.type(BUCKET).read(stored=State(wrong, {}, {}), call=engine_call())
