"""A cluster with managed collection has Google's custom resources, another one has not.

Rehearsal tier: starts a control plane.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from kubernetes.client import ApiException, CustomObjectsApi
from kubernetes.config import new_client_from_config

from rehearsal.emulator import Latency
from rehearsal.emulator.managed_prometheus import definitions, is_managed
from tests.rehearsal.emulator.running import Client, on_control_planes

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.emulator import KubernetesBackend
    from rehearsal.toolchain import Binaries

CLUSTER = "clusters/rapids"
OF_GOOGLE: dict[str, Any] = {
    "group": "monitoring.googleapis.com",
    "version": "v1",
    "namespace": "default",
}
RULES: dict[str, Any] = {
    "apiVersion": "monitoring.googleapis.com/v1",
    "kind": "Rules",
    "metadata": {"name": "dask"},
    "spec": {"groups": [{"name": "dask", "rules": [{"alert": "Down", "expr": "up == 0"}]}]},
}


def with_collection(*, enabled: bool) -> dict[str, Any]:
    return {"managedPrometheusConfig": {"enabled": enabled}}


def test_a_cluster_has_collection_when_its_document_says_so() -> None:
    assert is_managed({"monitoringConfig": with_collection(enabled=True)})
    assert not is_managed({"monitoringConfig": with_collection(enabled=False)})
    assert not is_managed({})
    assert {each["spec"]["names"]["kind"] for each in definitions()} == {"PodMonitoring", "Rules"}


async def switch_on(client: Client, backend: KubernetesBackend) -> None:
    collection = with_collection(enabled=False)
    off = {"name": "rapids", "initialNodeCount": 1, "monitoringConfig": collection}
    await client.ok("POST", "clusters", {"cluster": off})
    api = CustomObjectsApi(
        new_client_from_config(str(backend.control_planes["rapids"].admin_kubeconfig))
    )
    with pytest.raises(ApiException) as refused:
        api.create_namespaced_custom_object(**OF_GOOGLE, plural="rules", body=RULES)
    assert refused.value.status == 404

    update = {"update": {"desiredMonitoringConfig": with_collection(enabled=True)}}
    await client.ok("PUT", CLUSTER, update)

    made: Any = api.create_namespaced_custom_object(**OF_GOOGLE, plural="rules", body=RULES)
    assert made["spec"]["groups"][0]["interval"] == "1m"
    both = {
        **RULES,
        "metadata": {"name": "both"},
        "spec": {
            "groups": [
                {"name": "dask", "rules": [{"alert": "Down", "record": "down", "expr": "up == 0"}]}
            ]
        },
    }
    with pytest.raises(ApiException, match="one of alert and record"):
        api.create_namespaced_custom_object(**OF_GOOGLE, plural="rules", body=both)


@pytest.mark.rehearsal
def test_rules_are_unknown_until_collection_is_switched_on(
    binaries: Binaries, tmp_path: Path
) -> None:
    on_control_planes(tmp_path, switch_on, binaries=binaries, latency=Latency(hold_answer_s=60.0))
