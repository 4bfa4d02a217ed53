"""What a stack file says of a cluster that was made by hand."""

from typing import Any

import pytest

from daskfleet.planning.fleet import plan_draft
from daskfleet.platform.drafting.draft import draft_stack
from daskfleet.platform.drafting.found import Found
from daskfleet.settings.loading import parse
from tests.daskfleet.platform.drafting.found_clusters import (
    A100S,
    CPUS,
    PROJECT,
    T4,
    ZONE,
    dask,
    dask_cluster,
    found,
    gpus,
    pool_answer,
)


def drafted(there: Found) -> Any:
    return draft_stack(there).settings


def remarks(there: Found, key: str) -> str:
    return " ".join(draft_stack(there).remarks.get(key, ()))


def test_a_draft_of_a_common_cluster_is_a_fleet() -> None:
    settings = drafted(found(of_dask=dask(dask_cluster())))

    plan = plan_draft(parse(settings, file="draft"))

    assert [each.team.name for each in plan.teams] == ["fraud"]
    assert [each.name for each in plan.stack.worker_pools] == ["a100"]
    assert (plan.stack.project, plan.stack.location) == (PROJECT, ZONE)


def test_a_fleet_comes_beside_the_cluster_and_has_another_name() -> None:
    assert drafted(found())["cluster"] == {"name": "rapids-fleet"}
    assert "rapids, which stays" in remarks(found(), "cluster")


def test_the_name_of_a_fleet_beside_is_not_too_long() -> None:
    name = drafted(found(name="a" * 40))["cluster"]["name"]

    assert name == "a" * 34 + "-fleet"


def test_a_pool_says_only_what_is_not_so_by_default() -> None:
    larger = pool_answer("h100", "a3-highgpu-8g", config=gpus("nvidia-h100-80gb", 8))

    pools = drafted(found(T4, A100S, larger))["worker_pools"]

    assert pools == [
        {"name": "a100", "machine_type": "a2-highgpu-2g", "node_count": 2},
        {
            "name": "h100",
            "machine_type": "a3-highgpu-8g",
            "node_count": 2,
            "accelerator": "nvidia-h100-80gb",
            "gpus_per_node": 8,
        },
    ]


def test_the_pool_that_gke_makes_by_itself_is_called_after_its_gpus() -> None:
    draft = draft_stack(found({**A100S, "name": "default-pool"}))

    assert draft.settings["worker_pools"] == [
        {"name": "a100", "machine_type": "a2-highgpu-2g", "node_count": 2}
    ]
    assert draft.pool_names == {"default-pool": "a100"}


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ({"minNodeCount": 1, "maxNodeCount": 3}, {"min_nodes": 2, "max_nodes": 6}),
        ({"totalMinNodeCount": 1, "totalMaxNodeCount": 5}, {"min_nodes": 1, "max_nodes": 5}),
    ],
)
def test_bounds_are_those_of_the_pool_as_a_whole(
    bounds: dict[str, int], expected: dict[str, int]
) -> None:
    zones = ["us-central1-a", "us-central1-c"]
    pool = {**A100S, "locations": zones, "autoscaling": {"enabled": True, **bounds}}

    (settings,) = drafted(found(pool))["worker_pools"]

    assert settings["autoscaling"] == expected
    assert settings["zones"] == zones


def test_a_regional_cluster_says_the_zone_of_its_gpus() -> None:
    settings = drafted(found(location="us-central1"))

    assert (settings["location"], settings["node_zone"]) == ("us-central1", ZONE)


def test_gpus_that_are_shared_or_divided_stay_so() -> None:
    shared = gpus(
        "nvidia-tesla-a100",
        2,
        gpuPartitionSize="1g.5gb",
        gpuSharingConfig={"maxSharedClientsPerGpu": "3"},
    )

    (settings,) = drafted(found({**A100S, "config": {**A100S["config"], **shared}}))["worker_pools"]

    assert (settings["gpu_partition_size"], settings["workers_per_gpu"]) == ("1g.5gb", 3)


def test_a_second_pool_without_gpus_is_left_out_and_named() -> None:
    there = found(CPUS, pool_answer("batch", "n2-standard-8"), T4, A100S)

    assert drafted(there)["system_pool"] == {
        "name": "system",
        "machine_type": "e2-standard-4",
        "disk_size_gb": 200,
        "node_count": 2,
    }
    assert "Pool batch has no GPUs" in remarks(there, "worker_pools")


def test_a_cluster_without_a_pool_for_schedulers_is_told_what_it_gets() -> None:
    assert "scheduler_pool" not in drafted(found(CPUS, A100S))
    assert "a T4" in remarks(found(CPUS, A100S), "scheduler_pool")


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        (["LATEST", "LATEST"], {"install": "gke", "channel": "LATEST"}),
        (["DEFAULT", "LATEST"], None),
        (["INSTALLATION_DISABLED", "INSTALLATION_DISABLED"], None),
    ],
)
def test_a_driver_is_gkes_where_gke_installs_one_on_all_pools(
    versions: list[str], expected: dict[str, str] | None
) -> None:
    pools = [
        pool_answer(
            f"pool-{number}",
            "a2-highgpu-1g",
            config=gpus(
                "nvidia-tesla-a100", 1, gpuDriverInstallationConfig={"gpuDriverVersion": version}
            ),
        )
        for number, version in enumerate(versions)
    ]

    assert drafted(found(*pools)).get("driver") == expected
    assert bool(remarks(found(*pools), "driver")) == (len({*versions}) > 1)


def test_windows_exclusions_groups_and_labels_go_with_it() -> None:
    times = {"startTime": "2026-01-03T02:00:00Z", "endTime": "2026-01-03T10:00:00Z"}
    exclusion = {**times, "maintenanceExclusionOptions": {"scope": "NO_MINOR_UPGRADES"}}
    settings = drafted(
        found(
            releaseChannel={"channel": "RAPID"},
            maintenancePolicy={
                "window": {
                    "recurringWindow": {"window": times, "recurrence": "FREQ=DAILY"},
                    "maintenanceExclusions": {"year-end": exclusion},
                }
            },
            authenticatorGroupsConfig={"securityGroup": "gke-security-groups@example.com"},
            resourceLabels={"owner": "data", "goog-gke-node": ""},
        )
    )

    assert settings["cluster"] == {
        "name": "rapids-fleet",
        "release_channel": "RAPID",
        "maintenance_window": {
            "start_time": times["startTime"],
            "end_time": times["endTime"],
            "recurrence": "FREQ=DAILY",
        },
        "maintenance_exclusions": [
            {
                "name": "year-end",
                "start_time": times["startTime"],
                "end_time": times["endTime"],
                "scope": "NO_MINOR_UPGRADES",
            }
        ],
        "security_group": "gke-security-groups@example.com",
    }
    assert settings["labels"] == {"owner": "data"}


def endpoints(*, by_name: bool, public: bool, blocks: tuple[str, ...]) -> dict[str, Any]:
    networks = [{"cidrBlock": each, "displayName": "office"} for each in blocks]
    return {
        "dnsEndpointConfig": {"allowExternalTraffic": by_name},
        "ipEndpointsConfig": {
            "enabled": True,
            "enablePublicEndpoint": public,
            "authorizedNetworksConfig": {"enabled": bool(blocks), "cidrBlocks": networks},
        },
    }


@pytest.mark.parametrize(
    ("ways", "kind"),
    [
        (endpoints(by_name=True, public=True, blocks=("192.0.2.0/24",)), None),
        (endpoints(by_name=False, public=True, blocks=("192.0.2.0/24",)), "ip"),
        (endpoints(by_name=False, public=False, blocks=("192.0.2.0/24",)), "private"),
        (endpoints(by_name=False, public=True, blocks=()), None),
    ],
)
def test_clients_reach_it_as_before_unless_that_was_open_to_everybody(
    ways: dict[str, Any], kind: str | None
) -> None:
    settings = drafted(found(controlPlaneEndpointsConfig=ways))

    assert settings["cluster"].get("endpoint", {}).get("kind") == kind


@pytest.mark.parametrize("blocks", [(), ("0.0.0.0/0",)])
def test_an_address_that_is_open_to_everybody_is_named(blocks: tuple[str, ...]) -> None:
    ways = endpoints(by_name=False, public=True, blocks=blocks)

    assert "everybody" in remarks(found(controlPlaneEndpointsConfig=ways), "cluster")


def test_a_cluster_that_nobody_could_ask_has_no_teams_and_says_why() -> None:
    assert "teams" not in drafted(found())
    assert remarks(found(), "teams") == "DaskClusters were not looked at: nobody asked."
