"""End to end: what a collector of metrics would do, by the objects that the stack has made."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from distributed import Client
from kubernetes import config
from kubernetes.client import ApiException, CustomObjectsApi
from kubernetes.dynamic import DynamicClient
from prometheus_client.parser import text_string_to_metric_families

from daskfleet.settings.monitoring import Alerts
from manifests.alert_rules import alert_rules
from manifests.dashboards.dask_team import panels
from tests.components.fleets import alpha
from tests.components.metric_names import metric_names
from tests.rehearsal.end_to_end.kubectl import forwarded
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal

pytestmark = pytest.mark.rehearsal

TEAM = "biology"
API = "monitoring.googleapis.com/v1"


@pytest.fixture(scope="module")
def objects(showcase_stage: RunningRehearsal) -> DynamicClient:
    showcase_stage.ensure_as_declared()
    return DynamicClient(config.new_client_from_config(str(showcase_stage.cluster.kubeconfig)))


def listed(
    objects: DynamicClient, kind: str, *, api_version: str = "v1", **more: str
) -> list[dict[str, Any]]:
    """Objects of a kind in the team's namespace."""
    resource = objects.resources.get(api_version=api_version, kind=kind)
    return [each.to_dict() for each in resource.get(namespace=TEAM, **more).items]


@pytest.fixture(scope="module")
def monitorings(objects: DynamicClient) -> dict[str, dict[str, Any]]:
    """The team's PodMonitorings by name."""
    found = listed(objects, "PodMonitoring", api_version=API)
    return {each["metadata"]["name"]: each["spec"] for each in found}


def selected(objects: DynamicClient, spec: dict[str, Any]) -> list[dict[str, Any]]:
    """The pods that the API server finds by a PodMonitoring's selector."""
    wanted = spec["selector"]["matchLabels"]
    return listed(objects, "Pod", label_selector=",".join(f"{k}={v}" for k, v in wanted.items()))


def container_port(pod: dict[str, Any], name: str) -> int:
    """The port of this name, which exactly one container has."""
    (found,) = (
        port["containerPort"]
        for container in pod["spec"]["containers"]
        for port in container.get("ports") or ()
        if port["name"] == name
    )
    return int(found)


def samples(showcase: RunningRehearsal, pod: dict[str, Any], spec: dict[str, Any]) -> set[str]:
    """Names of the samples that a collector would keep of a pod."""
    ((endpoint,),) = (spec["endpoints"],)
    (rule,) = endpoint["metricRelabeling"]
    port = container_port(pod, endpoint["port"])
    target = f"pod/{pod['metadata']['name']}"
    with forwarded(showcase, target, port, namespace=TEAM) as address:
        answer = httpx.get(f"http://{address}{endpoint['path']}", timeout=30)
    return {
        sample.name
        for family in text_string_to_metric_families(answer.raise_for_status().text)
        for sample in family.samples
        if re.fullmatch(rule["regex"], sample.name)
    }


def asked_for() -> Iterator[str]:
    """Every metric that an alert or a panel is about."""
    rules = alert_rules(alpha().team, alerts=Alerts(), measures_gpus=True)["groups"][0]["rules"]
    for expression in (*(rule["expr"] for rule in rules), *(panel.expr for panel in panels())):
        yield from metric_names(expression.replace("$__rate_interval", "4m"))


def test_each_monitoring_finds_exactly_its_pods_and_a_port_that_they_have(
    objects: DynamicClient, monitorings: dict[str, dict[str, Any]]
) -> None:
    assert set(monitorings) == {"dask-scheduler", "dask-worker"}
    for job, spec in monitorings.items():
        pods = selected(objects, spec)
        components = {pod["metadata"]["labels"]["dask.org/component"] for pod in pods}
        assert components == {job.removeprefix("dask-")}
        for pod in pods:
            assert container_port(pod, spec["endpoints"][0]["port"]) in {8787, 8788}
            for mapping in spec["targetLabels"]["fromPod"]:
                assert pod["metadata"]["labels"][mapping["from"]]


def test_real_schedulers_and_workers_tell_every_metric_of_alerts_and_dashboard(
    showcase: RunningRehearsal,
    objects: DynamicClient,
    monitorings: dict[str, dict[str, Any]],
) -> None:
    with (
        forwarded(showcase, "service/dask", 8786, namespace=TEAM) as address,
        Client(f"tcp://{address}", timeout=30) as client,
    ):
        assert client.submit(sum, [40, 2]).result(timeout=30) == 42

    told = {
        name
        for spec in monitorings.values()
        for pod in selected(objects, spec)
        for name in samples(showcase, pod, spec)
    }

    of_dask = {name for name in asked_for() if not name.startswith("DCGM_")} - {"up"}
    assert len(of_dask) > 6
    assert of_dask <= told


def test_the_teams_alerts_are_there_with_its_number_of_workers(objects: DynamicClient) -> None:
    (rules,) = listed(objects, "Rules", api_version=API)
    by_name = {each["alert"]: each for each in rules["spec"]["groups"][0]["rules"]}

    assert set(by_name) == {
        "DaskSchedulerDown",
        "DaskWorkersBelowDeclared",
        "DaskIdleForDays",
        "DaskGpuIdleForDays",
    }
    assert "[2d]" in by_name["DaskGpuIdleForDays"]["expr"]


def test_a_field_that_googles_definition_does_not_know_is_refused(
    showcase: RunningRehearsal, monitorings: dict[str, dict[str, Any]]
) -> None:
    api = CustomObjectsApi(config.new_client_from_config(str(showcase.cluster.kubeconfig)))
    spec = {**monitorings["dask-worker"], "endpoint": []}
    wrong = {
        "apiVersion": API,
        "kind": "PodMonitoring",
        "metadata": {"name": "wrong", "namespace": TEAM},
        "spec": spec,
    }
    group, _, version = API.partition("/")

    with pytest.raises(ApiException, match="unknown field"):
        api.create_namespaced_custom_object(
            group,
            version,
            TEAM,
            "podmonitorings",
            wrong,
            dry_run="All",
            field_validation="Strict",
        )
