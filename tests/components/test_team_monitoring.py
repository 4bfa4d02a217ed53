"""Unit: what monitoring adds, for whom, and that nothing changes without it."""

from copy import deepcopy
from typing import Any

import pytest

from manifests.network_policy import dask_pods, metrics_collector
from manifests.pod_monitoring import pod_monitorings
from tests.components.fleets import alpha
from tests.recorded_program import Recording, Registration, record
from tests.setting_changes import BASE

CLUSTER = "gcp:container/cluster:Cluster"
MONITORED = "kubernetes:monitoring.googleapis.com/v1:PodMonitoring"
RULES = "kubernetes:monitoring.googleapis.com/v1:Rules"


def stack(**changes: Any) -> dict[str, Any]:
    document = deepcopy(BASE)
    del document["monitoring"]
    return {**document, **changes}


def by_name(recording: Recording) -> dict[str, Registration]:
    return {each.name: each for each in recording.registrations if each.is_custom}


def test_every_team_gets_its_own_and_nothing_else_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    without = by_name(record(stack(), monkeypatch))
    with_it = by_name(record(stack(monitoring={}), monkeypatch))

    added = set(with_it) - set(without)
    assert set(without) <= set(with_it)
    assert added == {
        f"{team}-{kind}"
        for team in ("alpha", "beta", "tides")
        for kind in (
            "metrics-collector",
            "dask-scheduler-metrics",
            "dask-worker-metrics",
            "alerts",
        )
    }
    differing = {name for name in without if without[name].inputs != with_it[name].inputs}
    # Members are told whether they are measured.
    notices = {f"{team}-notice" for team in ("alpha", "beta", "tides")}
    assert notices <= differing
    assert {without[name].type for name in differing - notices} <= {CLUSTER}
    assert "monitoringConfig" not in without["cluster-control-plane"].inputs


def test_a_team_without_gpus_has_no_alert_on_idle_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    document = stack(monitoring={"dcgm": True}, driver={"install": "gke", "channel": "DEFAULT"})
    cpu = {"name": "cpu", "machine_type": "n2-standard-8", "accelerator": "none", "node_count": 2}
    document["worker_pools"] = [*document["worker_pools"], cpu]
    teams = {each["name"]: each for each in document["teams"]}
    teams["tides"] |= {"worker_pool": "cpu", "worker": {"shm_gib": 1}}
    recorded = by_name(record(document, monkeypatch))

    alerts = {
        team: {
            rule["alert"]
            for rule in recorded[f"{team}-alerts"].inputs["spec"]["groups"][0]["rules"]
        }
        for team in ("beta", "tides")
    }
    assert alerts["beta"] - alerts["tides"] == {"DaskGpuIdleForDays"}


def test_objects_lie_in_the_teams_namespace_and_come_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recorded = by_name(record(stack(monitoring={}), monkeypatch))

    ours = [each for each in recorded.values() if each.type in {MONITORED, RULES}]
    assert len(ours) == 9
    for each in ours:
        assert each.inputs["metadata"]["namespace"] == each.name.partition("-")[0]
        needed = {urn.rpartition("::")[2] for urn in each.dependencies}
        assert each.inputs["metadata"]["namespace"] + "-namespace" in needed


@pytest.mark.parametrize(
    ("monitoring", "is_on", "components"),
    [
        ({}, True, {"SYSTEM_COMPONENTS", "KUBELET"}),
        ({"prometheus": "none"}, False, {"SYSTEM_COMPONENTS"}),
    ],
)
def test_the_cluster_collects_what_the_stack_says(
    monitoring: dict[str, Any],
    components: set[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_on: bool,
) -> None:
    recorded = by_name(record(stack(monitoring=monitoring), monkeypatch))
    config = recorded["cluster-control-plane"].inputs["monitoringConfig"]

    assert config["managedPrometheus"] == {"enabled": is_on}
    assert components <= set(config["enableComponents"])
    assert is_on or components == set(config["enableComponents"])
    assert "DCGM" not in config["enableComponents"]
    assert any(each.type == RULES for each in recorded.values()) is is_on


def test_dcgm_is_beside_what_gke_collects_and_not_in_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    driver = {"install": "gke", "channel": "LATEST"}
    config = by_name(record(stack(monitoring={}, driver=driver), monkeypatch))[
        "cluster-control-plane"
    ].inputs["monitoringConfig"]

    assert {"DCGM", "SYSTEM_COMPONENTS", "POD"} <= set(config["enableComponents"])


def test_schedulers_and_workers_are_told_apart_and_nothing_else_is_read() -> None:
    team = alpha().team
    selected = {
        job: spec["selector"]["matchLabels"]["dask.org/component"]
        for job, spec in pod_monitorings(team).items()
    }

    assert selected == {"dask-scheduler": "scheduler", "dask-worker": "worker"}


def test_both_clusters_of_a_roll_are_read() -> None:
    for spec in pod_monitorings(alpha(rollout="blue-green").team).values():
        assert spec["selector"]["matchExpressions"] == [
            {"key": "dask.org/cluster-name", "operator": "Exists"}
        ]


def test_collectors_reach_the_two_http_ports_and_not_the_schedulers_own() -> None:
    team = alpha().team
    policy = metrics_collector(team)
    ((rule,),) = (policy["ingress"],)

    assert policy["podSelector"] == dask_pods(team)
    assert [port["port"] for port in rule["ports"]] == [8787, 8788]
    assert [
        each["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"]
        for each in rule["from"]
    ] == ["gmp-system"]
