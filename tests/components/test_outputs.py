"""Unit: what the stack tells those who use it."""

import itertools
import json
from typing import Any

from components.outputs.fleet import fleet_outputs, get_credentials
from daskfleet.contract.outputs import FleetOutputs
from manifests.dask_manifest import dask_cluster_manifest
from tests.components.fleets import fleet

ENDPOINT_IP = {
    "endpoint": {"kind": "ip", "authorized_networks": [{"name": "office", "cidr": "192.0.2.0/24"}]}
}


def test_what_is_told_is_read_as_it_was_written() -> None:
    alice = {"name": "alice", "member": "user:alice@example.com"}
    jupyter = {"people": [alice], "cpu": 0.5, "memory_gib": 2}
    alpha = {"name": "alpha", "tls": {}, "jupyter": jupyter, "members": [alice["member"]]}
    teams = [alpha, {"name": "beta", "retire": True}]
    told = fleet_outputs(fleet(teams=teams, monitoring={"prometheus": "managed"}))
    read = FleetOutputs.model_validate_json(json.dumps(told))
    assert read.model_dump(mode="json", exclude_unset=True) == told
    people = told["teams"]["alpha"]["jupyter"]["people"]
    assert people["alice"] == {"service": "jupyter-alice", "token_secret": "jupyter-alice-token"}


def test_a_team_gets_one_address_that_does_not_change_with_its_cluster() -> None:
    before = fleet_outputs(fleet())["teams"]["alpha"]
    after = fleet_outputs(
        fleet(
            teams=[{"name": "alpha", "image": "nvcr.io/nvidia/rapidsai/base:26.08-cuda12-py3.13"}]
        )
    )["teams"]["alpha"]

    assert before["address"] == after["address"] == "tcp://dask.alpha.svc.cluster.local:8786"
    assert before["image"] != after["image"]


def test_a_team_is_told_what_is_inside_an_image_whose_tag_does_not_say() -> None:
    image = {"ref": f"my.registry/team@sha256:{'0' * 64}", "rapids": "26.08", "cuda": 12}
    team = fleet_outputs(fleet(teams=[{"name": "alpha", "image": image}]))["teams"]["alpha"]

    assert (team["rapids"], team["cuda"]) == ("26.08", 12)


def test_the_snippet_connects_to_that_address() -> None:
    team = fleet_outputs(fleet())["teams"]["alpha"]

    compile(team["connect"], "connect", "exec")
    assert team["address"] in team["connect"]


def test_a_team_is_told_what_its_workers_are_started_with() -> None:
    plan = fleet(teams=[{"name": "alpha", "scheduler": {"fallback": "worker-pool"}}])
    team = fleet_outputs(plan)["teams"]["alpha"]
    manifest = dask_cluster_manifest(plan.teams[0], name="alpha")
    arguments = manifest["spec"]["worker"]["spec"]["containers"][0]["args"]
    options = dict(itertools.pairwise(arguments))

    assert team["scheduler_fallback"] == "worker-pool"
    assert options["--nthreads"] == str(team["threads_per_worker"])
    assert options["--resources"] == "GPU=1"
    assert team["worker_resources"] == {"GPU": 1}


def test_nothing_in_the_outputs_opens_a_door() -> None:
    text = json.dumps(fleet_outputs(fleet()))

    assert "certificate" not in text
    assert "token" not in text
    assert "kubeconfig" not in text


def test_credentials_are_fetched_through_the_endpoint_that_is_open() -> None:
    assert get_credentials(fleet().stack).endswith(" --dns-endpoint")
    assert "--dns-endpoint" not in get_credentials(fleet(cluster=ENDPOINT_IP).stack)
    private = fleet(cluster={"endpoint": {"kind": "private"}}).stack
    assert get_credentials(private).endswith(" --internal-ip")


def test_every_pool_is_listed_with_its_bounds() -> None:
    pools = {pool["name"]: pool for pool in fleet_outputs(fleet())["pools"]}

    assert {name: pool["role"] for name, pool in pools.items()} == {
        "system": "system",
        "scheduler-pool": "scheduler",
        "a100": "worker",
    }
    assert (pools["a100"]["min_nodes"], pools["a100"]["max_nodes"]) == (2, 2)


def test_a_surge_pool_is_listed_by_its_generation_with_the_quota_that_the_next_one_takes() -> None:
    outputs = fleet_outputs(fleet(worker_pools=[{"node_count": 2, "replacement": "surge"}]))
    (pool,) = (pool for pool in outputs["pools"] if pool["pool"] == "a100")

    assert pool["name"].startswith("a100-")
    assert pool["surge_quota"]["NVIDIA_A100_GPUS"] == 4
    assert {team["worker_pool"] for team in outputs["teams"].values()} == {pool["name"]}


def test_a_retired_team_has_no_address_and_a_next_step() -> None:
    outputs = fleet_outputs(fleet(teams=[{"name": "alpha"}, {"name": "beta", "retire": True}]))

    assert set(outputs["teams"]) == {"alpha"}
    assert outputs["retired_teams"]["beta"]["namespace"] == "beta"
    assert "remove the entry of beta" in outputs["retired_teams"]["beta"]["next_step"]
    assert "namespace beta" not in outputs["protection"]["protected"]


def test_the_outputs_list_what_is_protected_because_destroy_runs_no_program() -> None:
    protected = fleet_outputs(fleet())["protection"]
    open_fleet = fleet_outputs(fleet(long_lived=False))["protection"]

    assert protected["protected"] == [
        "cluster rapids-gpu",
        "pool system",
        "pool scheduler-pool",
        "pool a100",
        "namespace alpha",
        "namespace beta",
    ]
    assert "daskfleet:long_lived" in protected["to_destroy"]
    assert open_fleet["protected"] == []


def test_a_pool_whose_generations_come_and_go_is_not_listed_as_protected() -> None:
    surge = fleet(worker_pools=[{"node_count": 2, "replacement": "surge"}])

    assert "pool a100" not in fleet_outputs(surge)["protection"]["protected"]


def test_a_fixed_fleet_costs_the_same_idle_and_full() -> None:
    cost = fleet_outputs(fleet())["cost"]

    assert cost["idle_usd_per_hour"] == cost["full_usd_per_hour"] > 0
    assert cost["full_usd_per_month"] > 700 * cost["full_usd_per_hour"]


def test_the_cost_says_which_prices_it_does_not_know() -> None:
    gpus = {"accelerator": "nvidia-b200", "gpus_per_node": 8}
    plan = fleet(
        location="us-central1-b",
        worker_pools=[{"name": "b200", "machine_type": "a4-highgpu-8g", **gpus}],
        monthly_budget_usd=50_000,
    )
    cost = fleet_outputs(plan)["cost"]

    assert cost["unpriced"] == ["a4-highgpu-8g"]
    assert cost["budget"] == "unknown"
    assert any("No price is known for a4-highgpu-8g" in note for note in cost["notes"])
    assert fleet_outputs(fleet())["cost"]["unpriced"] == []


def test_the_shares_of_the_cost_add_up_to_the_figures_of_the_whole() -> None:
    cost = fleet_outputs(fleet(worker_pools=[{"node_count": 3}]))["cost"]

    for figure in ("idle", "full"):
        shares = [*cost["teams"].values(), cost["unused"], cost["platform"]]
        cents = [round(share[figure] * 100) for share in shares]
        assert sum(cents) == round(cost[f"{figure}_usd_per_month"] * 100)
    assert set(cost["teams"]) == {team.team.name for team in fleet().teams}


def test_the_cost_says_how_the_fleet_stands_to_its_budget() -> None:
    assert fleet_outputs(fleet())["cost"]["budget"] == "none"
    assert fleet_outputs(fleet(monthly_budget_usd=100))["cost"]["budget"] == "far above"


def test_an_address_in_the_vpc_is_told_for_the_team_that_has_one() -> None:
    address: Any = object()
    teams = fleet_outputs(fleet(), internal_addresses={"alpha": address})["teams"]

    assert teams["alpha"]["internal_address"] is address
    assert "internal_address" not in teams["beta"]


def test_a_pool_without_gpus_and_one_whose_gpus_are_divided_are_told_as_such() -> None:
    cpu = {"name": "cpu", "accelerator": "none", "machine_type": "e2-standard-8"}
    divided = {"name": "mig", "gpu_partition_size": "1g.5gb", "workers_per_gpu": 2}
    plan = fleet(
        driver={"install": "gke", "channel": "DEFAULT"},
        worker_pools=[{"name": "a100"}, cpu, divided],
        teams=[{"name": "alpha", "worker_pool": "cpu", "workers": 1}],
    )
    outputs = fleet_outputs(plan)
    pools = {pool["name"]: pool for pool in outputs["pools"]}

    assert (pools["cpu"]["accelerator"], pools["cpu"]["gpus_per_node"]) == (None, 0)
    assert (pools["mig"]["gpu_partition_size"], pools["mig"]["workers_per_gpu"]) == ("1g.5gb", 2)
    assert {"gpu_partition_size", "workers_per_gpu"}.isdisjoint(pools["a100"])
    assert outputs["teams"]["alpha"]["worker_resources"] == {}
    assert outputs["teams"]["alpha"]["threads_per_worker"] == 7
